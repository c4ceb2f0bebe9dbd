import { ForeignRulesError, InvalidBlockError, type Network } from '@roundhouse/chain';
import type { RawSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import type { AgreedNetwork } from './agreed-network.js';
import { BlockChecker, type Verification } from './block-checker.js';

/** A source announces rules that the index does not have. Blocks from there on are refused. */
export interface Announcement {
  readonly source: string;
  /** The height of the first such rule; null if the source no longer announces any. */
  readonly from: number | null;
  readonly reason: string;
}

/**
 * How often a source is asked for its network again, because a node's address may start to lead to another chain. It
 * is also asked once after each failure.
 */
const ASK_AGAIN_MS = 60_000;

/** Used if `NETWORK` is not set. The source has just been asked for its network again. */
const ADVICE_WITHOUT_NETWORK =
  'if they agree, the configuration that the node reports is too old for this block: upgrade the node; otherwise use ' +
  'another BLOCK_SOURCE';

/** What is known of a source that is on the agreed network. */
export interface KnownSource {
  readonly network: Network;
  readonly checker: BlockChecker;
  /** The first rules that it announces and the index does not have. They do not concern the blocks below them. */
  readonly announced: { readonly from: number; readonly reason: string } | null;
  /** When to ask the source again (`performance.now()`). */
  readonly askAgainAt: number;
}

export const networkIsMissing = (source: string): string =>
  `${source} does not report its chain: set NETWORK to mainnet, devnet, testnet or the path of a network configuration.`;

/** Makes sure that a source is on the agreed network, and finds out which rules its blocks must keep. */
export class SourceNetwork {
  private network: Network | null = null;
  private checker: BlockChecker | null = null;
  private announced: KnownSource['announced'] = null;

  constructor(
    private readonly source: RawSource,
    private readonly agreed: AgreedNetwork,
    private readonly verification: Verification,
    private readonly onAnnouncedRules: (announcement: Announcement) => void,
  ) {}

  /** Asks the source. Null if its network is unknown. Throws if the source cannot be used. */
  async ask(): Promise<KnownSource | null> {
    const told = await this.toldNetwork();
    const network = await this.agreed.agree(told, this.source.name);
    // Also while the network is unknown: to name it would not help.
    if (this.network === null) await this.assertIndexable();
    if (network === null) return null;
    if (told === null) await this.assertSameGenesis(network);
    return this.known(network);
  }

  /**
   * Called when a block contradicts the network's rules: the node may have been upgraded and may report a milestone
   * that was unknown before. Throws the error, with what the source hides, if it reports nothing newer than `network`.
   */
  async askForNewer(error: unknown, network: Network): Promise<KnownSource> {
    if (!(error instanceof NodeProtocolError) || !(error.cause instanceof InvalidBlockError)) throw error;
    const { cause, message } = error;
    const told = await this.toldNetwork();
    // Another range may have asked meanwhile.
    const agreed = told === null ? network : await this.agreed.renew(told, this.source.name);
    if (agreed !== network) return this.known(agreed);
    const hidden = cause.message.startsWith('transaction ') && (await this.source.hiddenFields?.());
    if (!hidden) throw error;
    throw new NodeProtocolError(this.source.name, `${message} ${hidden}`, { cause, height: cause.height });
  }

  private known(network: Network): KnownSource {
    if (this.checker === null || this.network !== network) {
      const advice = this.agreed.isConfigured ? undefined : ADVICE_WITHOUT_NETWORK;
      this.checker = new BlockChecker(this.source.name, network, this.verification, advice);
      this.network = network;
    }
    const { checker, announced } = this;
    return { network, checker, announced, askAgainAt: performance.now() + ASK_AGAIN_MS };
  }

  /**
   * Returns what the source reports. If that is wrong but `NETWORK` is set, returns null: the genesis block then
   * shows which chain the source has. If it announces rules that the index does not have, and the chain is known
   * already, returns its rules below them.
   */
  private async toldNetwork(): Promise<Network | null> {
    try {
      const told = await this.source.network();
      this.announce(null);
      return told;
    } catch (error) {
      if (!(error instanceof NodeProtocolError)) throw error;
      if (this.agreed.isConfigured) return null;
      const below = this.agreed.isKnown ? this.networkBelow(error) : null;
      if (below === null) throw error;
      return below;
    }
  }

  private async assertIndexable(): Promise<void> {
    const problem = await this.source.chainProblem?.();
    if (problem) throw new NodeProtocolError(this.source.name, `${this.source.name} ${problem}`);
  }

  private async assertSameGenesis({ name, nethash }: Network): Promise<void> {
    const [genesis] = await this.source.blocks(1, 1);
    if (genesis === undefined || genesis.payloadHash === nethash) return;
    const { name: source } = this.source;
    throw new NodeProtocolError(
      source,
      `${source} holds another chain: its genesis block's payloadHash is ${genesis.payloadHash}, but the nethash of ` +
        `${name} is ${nethash}. Correct NETWORK or BLOCK_SOURCE.`,
      { height: 1 },
    );
  }

  /** Returns the network below the rules that a source's error is about; null if there is nothing that could be used. */
  private networkBelow({ cause, message }: NodeProtocolError): Network | null {
    if (!(cause instanceof ForeignRulesError)) return null;
    const network = cause.networkBelow();
    if (network !== null) this.announce({ from: cause.height, reason: message });
    return network;
  }

  private announce(announced: KnownSource['announced']): void {
    const isNews = announced?.from !== this.announced?.from;
    this.announced = announced;
    if (!isNews) return;
    const { from = null, reason = '' } = announced ?? {};
    this.onAnnouncedRules({ source: this.source.name, from, reason });
  }
}
