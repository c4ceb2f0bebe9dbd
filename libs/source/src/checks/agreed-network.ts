import type { Network } from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

/**
 * Decides whether a newer configuration of the same chain can be used from now on, and makes it known; throws where it
 * contradicts what the index has been made with.
 */
export type AcceptNetwork = (told: Network) => Promise<void>;

interface AgreedNetworkOptions {
  /** `NETWORK`; null where it is not set: then the first source that knows the network tells it. */
  readonly configured: Network | null;
  /** Where it is absent, a newer configuration is not used. */
  readonly accept?: AcceptNetwork | undefined;
}

const asText = (network: Network): string =>
  JSON.stringify(network, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/** The one network of all alternatives: as configured, else as the first source that knows it tells. */
export class AgreedNetwork {
  private network: Network | null;
  /** The source whose word it is, and who tells of milestones before they are reached. */
  private teller: string | null = null;

  constructor(private readonly options: AgreedNetworkOptions) {
    this.network = options.configured;
  }

  get isConfigured(): boolean {
    return this.options.configured !== null;
  }

  /** Takes note of what a source tells, null for nothing; throws `NodeProtocolError` where it is another chain. */
  async agree(told: Network | null, source: string): Promise<Network | null> {
    if (told === null) return this.network;
    if (this.network === null) [this.network, this.teller] = [told, source];
    if (source === this.teller) return this.renew(told, source);
    this.assertSameChain(told, this.network, source);
    return this.network;
  }

  /**
   * Goes over to what a source tells of the same chain, for instance because its block contradicts what was known.
   * Gives what is agreed then. Throws `NodeProtocolError` where it cannot be used.
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
        `${source} tells of a configuration that cannot be used: ${message}`,
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
    const mend = this.isConfigured ? 'Mend NETWORK or BLOCK_SOURCE.' : 'Mend BLOCK_SOURCE.';
    throw new NodeProtocolError(
      source,
      `${source} is on another chain: its nethash is ${told.nethash} (${told.name}), but ${known.nethash} ` +
        `(${known.name}) is expected. ${mend}`,
    );
  }
}
