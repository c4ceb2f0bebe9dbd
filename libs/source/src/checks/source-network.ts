import { ForeignRulesError, InvalidBlockError, type Network } from '@roundhouse/chain';
import type { RawSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { SourceConfigError } from '../errors/source-config.error.js';
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

export interface Checked {
  readonly network: Network;
  readonly checker: BlockChecker;
}

export const networkIsMissing = (source: string): string =>
  `${source} does not report its chain: set NETWORK to mainnet, devnet, testnet or the path of a network configuration.`;

/** Makes sure that a source is on the agreed network, and knows the rules that its blocks must keep. */
export class SourceNetwork {
  private checked: Checked | null = null;
  private checkAgainAt = 0;
  /** The first rules that the source announces and the index does not have. They do not concern the blocks below them. */
  private announced: { readonly from: number; readonly reason: string } | null = null;

  constructor(
    private readonly source: RawSource,
    private readonly agreed: AgreedNetwork,
    private readonly verification: Verification,
    private readonly onAnnouncedRules: (announcement: Announcement) => void,
  ) {}

  /** Null if it is unknown. Throws if the source cannot be used. */
  async network(): Promise<Network | null> {
    if (this.checked && performance.now() < this.checkAgainAt) return this.checked.network;
    const told = await this.toldNetwork();
    const network = await this.agreed.agree(told, this.source.name);
    // Also while the network is unknown: to name it would not help.
    if (this.checked === null) await this.assertIndexable();
    if (network === null) return null;
    if (told === null) await this.assertSameGenesis(network);
    this.use(network);
    this.checkAgainAt = performance.now() + ASK_AGAIN_MS;
    return network;
  }

  /** Asks the source again before its next use. */
  askAgain(): void {
    this.checkAgainAt = 0;
  }

  /** The rules that are in force now. Throws `SourceConfigError` if the network is unknown. */
  get known(): Checked {
    if (this.checked === null) throw new SourceConfigError(networkIsMissing(this.source.name));
    return this.checked;
  }

  /** Throws `NodeProtocolError` if not all blocks `from` to `to` are below the announced rules. */
  assertBelow(from: number, to: number): void {
    if (this.announced === null || to < this.announced.from) return;
    const { from: first, reason } = this.announced;
    throw new NodeProtocolError(this.source.name, reason, { height: Math.max(from, first) });
  }

  /**
   * Called when a block contradicts the network's rules: the node may have been upgraded and may report a milestone
   * that was unknown before. Returns null if it reports nothing new.
   */
  async newerChecker(error: unknown, { network }: Checked): Promise<BlockChecker | null> {
    const isContradiction = error instanceof NodeProtocolError && error.cause instanceof InvalidBlockError;
    const told = isContradiction ? await this.toldNetwork() : null;
    if (told === null) return null;
    // Another range may have asked meanwhile.
    const agreed = await this.agreed.renew(told, this.source.name);
    return agreed === network ? null : this.use(agreed);
  }

  private use(network: Network): BlockChecker {
    if (this.checked?.network !== network) {
      const advice = this.agreed.isConfigured ? undefined : ADVICE_WITHOUT_NETWORK;
      const checker = new BlockChecker(this.source.name, network, this.verification, advice);
      this.checked = { network, checker };
    }
    return this.checked.checker;
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

  private announce(announced: SourceNetwork['announced']): void {
    const isNews = announced?.from !== this.announced?.from;
    this.announced = announced;
    if (!isNews) return;
    const { from = null, reason = '' } = announced ?? {};
    this.onAnnouncedRules({ source: this.source.name, from, reason });
  }
}
