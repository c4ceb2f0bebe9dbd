import type { Network } from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

/**
 * Decides whether a newer configuration of the same chain can be used from now on, and publishes it. Throws if it
 * contradicts the configuration that the index was built with.
 */
export type AcceptNetwork = (told: Network) => Promise<void>;

interface AgreedNetworkOptions {
  /** `NETWORK`, or null if it is not set. If null, the first source that knows the network reports it. */
  readonly configured: Network | null;
  /** If absent, newer configurations are not used. */
  readonly accept?: AcceptNetwork | undefined;
}

const asText = (network: Network): string =>
  JSON.stringify(network, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/**
 * The one network of all alternatives. If none is configured, the first source that knows the network reports it.
 */
export class AgreedNetwork {
  private network: Network | null;
  /** The source that reported the network. It also reports milestones before they are reached. */
  private teller: string | null = null;

  constructor(private readonly options: AgreedNetworkOptions) {
    this.network = options.configured;
  }

  get isConfigured(): boolean {
    return this.options.configured !== null;
  }

  get isKnown(): boolean {
    return this.network !== null;
  }

  /**
   * Records what a source reports; null stands for nothing. Returns the agreed network, or null if it is still
   * unknown. Throws `NodeProtocolError` if the source has another chain.
   */
  async agree(told: Network | null, source: string): Promise<Network | null> {
    if (told === null) return this.network;
    if (this.network === null) [this.network, this.teller] = [told, source];
    if (source === this.teller) return this.renew(told, source);
    this.assertSameChain(told, this.network, source);
    return this.network;
  }

  /**
   * Adopts the configuration that a source reports for the same chain, for instance after one of its blocks
   * contradicted the current configuration. Returns the agreed configuration. Throws `NodeProtocolError` if the
   * reported one cannot be used.
   */
  async renew(told: Network, source: string): Promise<Network> {
    const { accept } = this.options;
    const known = this.network ?? told;
    this.assertSameChain(told, known, source);
    if (this.isConfigured || !accept || asText(told) === asText(known)) return known;
    try {
      await accept(told);
    } catch (error) {
      const { message } = error as Error;
      throw new NodeProtocolError(
        source,
        `${source} reports a configuration that cannot be used: ${message}`,
        {
          cause: error,
        },
      );
    }
    [this.network, this.teller] = [told, source];
    return told;
  }

  private assertSameChain(told: Network, known: Network, source: string): void {
    if (told.nethash === known.nethash) return;
    const advice = this.isConfigured ? 'Correct NETWORK or BLOCK_SOURCE.' : 'Correct BLOCK_SOURCE.';
    throw new NodeProtocolError(
      source,
      `${source} is on another chain: its nethash is ${told.nethash} (${told.name}), but ${known.nethash} ` +
        `(${known.name}) is expected. ${advice}`,
    );
  }
}
