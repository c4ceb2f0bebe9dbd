import { InvalidBlockError, NO_BLOCK_ID, type Block, type BlockRef, type Network } from '@roundhouse/chain';
import type { BlockSource, ProblemOf, RawSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { SourceConfigError } from '../errors/source-config.error.js';
import type { AgreedNetwork } from './agreed-network.js';
import { AnnouncedRules, type Announcement } from './announced-rules.js';
import { BlockChecker, type Verification } from './block-checker.js';

/** A node may announce a block a moment before it can return it, or some seconds before if it caches its lists. */
const GRACE_MS = 10_000;

/** After that, the block is requested again and again. This is the first pause in between; it doubles each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

interface Owed {
  /** The height of the lowest block that was not returned. */
  readonly height: number;
  /** The block below it, if that was returned. */
  readonly below: BlockRef | null;
  readonly since: number;
  readonly askAgainAt: number;
  readonly pauseMs: number;
}

/** Compares what a source claims to have with what it returns. */
export class UnkeptClaim {
  private claimed = 0;
  private first: Owed | null = null;

  /** Records the height that the source announces. */
  claim(height: number): void {
    this.claimed = height;
    if (this.first !== null && height < this.first.height) this.first = null;
  }

  /** Records what the source returned of blocks `from` to `to`: all up to `last`, or none if `last` is null. */
  gave(from: number, to: number, last: BlockRef | null): void {
    const height = (last?.height ?? from - 1) + 1;
    const isFilled = this.first !== null && from <= this.first.height && this.first.height < height;
    if (isFilled) this.first = null;
    const before = this.first;
    const isNoLack = height > Math.min(to, this.claimed);
    const isAboveKnown = before !== null && before.height < height;
    if (isNoLack || isAboveKnown) return;
    const below = last ?? (before?.height === height ? before.below : null);
    const now = performance.now();
    if (before === null) {
      this.first = { height, below, since: now, askAgainAt: now + GRACE_MS, pauseMs: FIRST_PAUSE_MS };
    } else if (this.isDue) {
      const pauseMs = Math.min(2 * before.pauseMs, LONGEST_PAUSE_MS);
      this.first = { ...before, height, below, askAgainAt: now + before.pauseMs, pauseMs };
    } else {
      this.first = { ...before, height, below };
    }
  }

  /** The block that the source has failed to return for longer than allowed, or null. */
  get owed(): Pick<Owed, 'height' | 'below'> | null {
    const { first } = this;
    return first !== null && performance.now() - first.since >= GRACE_MS ? first : null;
  }

  /** Whether it is time to request that block again. */
  get isDue(): boolean {
    return this.first !== null && performance.now() >= this.first.askAgainAt;
  }
}

/**
 * How often a source is asked for its network again, because a node's address may start to lead to another chain. It
 * is also asked once after each failure.
 */
const ASK_AGAIN_MS = 60_000;

/** A source announces blocks that it does not return. */
export interface BrokenClaim {
  readonly source: string;
  /** The height that it announces. */
  readonly claimed: number;
  /** The height below the first block that it does not return; `tip` returns this height instead. */
  readonly given: number;
}

/** Used if `NETWORK` is not set. The source has just been asked for its network again. */
const ADVICE_WITHOUT_NETWORK =
  'if they agree, the configuration that the node reports is too old for this block: upgrade the node; otherwise use ' +
  'another BLOCK_SOURCE';

interface Checked {
  readonly network: Network;
  readonly checker: BlockChecker;
}

/**
 * A source whose blocks are checked. A range that contains a wrong block is refused as a whole. The source must be
 * on the agreed network before it is used.
 */
export class CheckedSource implements BlockSource {
  private checked: Checked | null = null;
  private checkAgainAt = 0;
  private readonly problemsOf: ProblemOf[] = [];
  private readonly claim = new UnkeptClaim();
  private isClaimTold = false;
  private readonly announced: AnnouncedRules;

  constructor(
    private readonly source: RawSource,
    private readonly agreed: AgreedNetwork,
    private readonly verification: Verification,
    private readonly onBrokenClaim: (claim: BrokenClaim) => void = () => undefined,
    onAnnouncedRules: (announcement: Announcement) => void = () => undefined,
  ) {
    this.announced = new AnnouncedRules(source.name, onAnnouncedRules);
  }

  get name(): string {
    return this.source.name;
  }

  async network(): Promise<Network | null> {
    if (this.checked && performance.now() < this.checkAgainAt) return this.checked.network;
    const told = await this.toldNetwork();
    const network = await this.agreed.agree(told, this.name);
    // Also while the network is unknown: to name it would not help.
    if (this.checked === null) await this.assertIndexable();
    if (network === null) return null;
    if (told === null) await this.assertSameGenesis(network);
    this.use(network);
    this.checkAgainAt = performance.now() + ASK_AGAIN_MS;
    return network;
  }

  /**
   * Returns the newest block that the source announces. If it has not returned the blocks up to there, returns the
   * last one that it did return.
   */
  tip(): Promise<BlockRef> {
    return this.onItsNetwork(async () => {
      const tip = await this.source.tip();
      this.claim.claim(tip.height);
      if (this.claim.isDue) await this.askForOwed();
      const { owed } = this.claim;
      if (owed === null) {
        this.isClaimTold = false;
        return tip;
      }
      const given = owed.height - 1;
      if (!this.isClaimTold) this.onBrokenClaim({ source: this.name, claimed: tip.height, given });
      this.isClaimTold = true;
      return owed.below ?? { height: given, id: NO_BLOCK_ID };
    });
  }

  blockAt(height: number): Promise<Block | null> {
    return this.onItsNetwork(async (checked) => {
      const [block] = await this.read(checked, height, height);
      if (block === undefined) return null;
      this.assertKnown(checked).checker.verifySignatures([block]);
      return block;
    });
  }

  blocks(from: number, to: number): Promise<Block[]> {
    return this.onItsNetwork(async (checked) => {
      const blocks = await this.read(checked, from, to);
      const { checker } = this.assertKnown(this.checked);
      if (checker.verifiesSignatures) checker.verifySignatures(blocks);
      return blocks;
    });
  }

  /** The decoder of the segments checks their blocks. */
  get segments(): BlockSource['segments'] {
    const { source } = this;
    return source.segments && ((from) => source.segments!(from));
  }

  distrust(problemOf: ProblemOf): void {
    this.problemsOf.push(problemOf);
  }

  close(): Promise<void> {
    return this.source.close();
  }

  /** Passes null to `request` while the network is unknown. */
  private async onItsNetwork<T>(request: (checked: Checked | null) => Promise<T>): Promise<T> {
    try {
      await this.network();
      return await request(this.checked);
    } catch (error) {
      this.checkAgainAt = 0;
      throw error;
    }
  }

  /** Checks everything except signatures. */
  private async read(checked: Checked | null, from: number, to: number): Promise<Block[]> {
    const known = this.assertKnown(checked);
    this.announced.assertBelow(from, to);
    const blocks = await this.check(await this.source.blocks(from, to), from, known);
    for (const block of blocks) this.assertTrusted(block, known.checker);
    this.claim.gave(from, to, blocks.at(-1) ?? null);
    return blocks;
  }

  private async check(received: readonly Block[], from: number, known: Checked): Promise<Block[]> {
    try {
      return known.checker.check(received, from);
    } catch (error) {
      const checker = await this.newerChecker(error, known);
      if (checker === null) throw await this.explained(error);
      return checker.check(received, from);
    }
  }

  /** The error with what the source hides, if that may be the reason. */
  private async explained(error: unknown): Promise<unknown> {
    if (!(error instanceof NodeProtocolError) || !(error.cause instanceof InvalidBlockError)) return error;
    const { cause, message } = error;
    const hidden = cause.message.startsWith('transaction ') && (await this.source.hiddenFields?.());
    if (!hidden) return error;
    return new NodeProtocolError(this.name, `${message} ${hidden}`, { cause, height: cause.height });
  }

  private async askForOwed(): Promise<void> {
    const { owed } = this.claim;
    if (owed !== null) await this.read(this.checked, Math.max(owed.height - 1, 1), owed.height);
  }

  private assertTrusted(block: Block, checker: BlockChecker): void {
    for (const problemOf of this.problemsOf) {
      const problem = problemOf(block);
      if (problem !== null) throw checker.refuse(block, problem);
    }
  }

  private assertKnown(checked: Checked | null): Checked {
    if (checked === null) throw new SourceConfigError(networkIsMissing(this.name));
    return checked;
  }

  /**
   * Called when a block contradicts the network's rules: the node may have been upgraded and may report a milestone
   * that was unknown before. Returns null if it reports nothing new.
   */
  private async newerChecker(error: unknown, { network }: Checked): Promise<BlockChecker | null> {
    const isContradiction = error instanceof NodeProtocolError && error.cause instanceof InvalidBlockError;
    const told = isContradiction ? await this.toldNetwork() : null;
    if (told === null) return null;
    // Another range may have asked meanwhile.
    const agreed = await this.agreed.renew(told, this.name);
    return agreed === network ? null : this.use(agreed);
  }

  private use(network: Network): BlockChecker {
    if (this.checked?.network !== network) {
      const advice = this.agreed.isConfigured ? undefined : ADVICE_WITHOUT_NETWORK;
      const checker = new BlockChecker(this.name, network, this.verification, advice);
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
      this.announced.clear();
      return told;
    } catch (error) {
      if (!(error instanceof NodeProtocolError)) throw error;
      if (this.agreed.isConfigured) return null;
      const below = this.agreed.isKnown ? this.announced.networkBelow(error) : null;
      if (below === null) throw error;
      return below;
    }
  }

  private async assertIndexable(): Promise<void> {
    const problem = await this.source.chainProblem?.();
    if (problem) throw new NodeProtocolError(this.name, `${this.name} ${problem}`);
  }

  private async assertSameGenesis({ name, nethash }: Network): Promise<void> {
    const [genesis] = await this.source.blocks(1, 1);
    if (genesis === undefined || genesis.payloadHash === nethash) return;
    throw new NodeProtocolError(
      this.name,
      `${this.name} holds another chain: its genesis block's payloadHash is ${genesis.payloadHash}, but the nethash of ` +
        `${name} is ${nethash}. Correct NETWORK or BLOCK_SOURCE.`,
      { height: 1 },
    );
  }
}

export const networkIsMissing = (source: string): string =>
  `${source} does not report its chain: set NETWORK to mainnet, devnet, testnet or the path of a network configuration.`;
