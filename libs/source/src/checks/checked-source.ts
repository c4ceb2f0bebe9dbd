import { InvalidBlockError, NO_BLOCK_ID, type Block, type BlockRef, type Network } from '@roundhouse/chain';
import type { BlockSource, ProblemOf, RawSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import type { AgreedNetwork } from './agreed-network.js';
import type { BlockChecker, Verification } from './block-checker.js';
import { SourceNetwork, type Announcement, type Checked } from './source-network.js';

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

/** A source announces blocks that it does not return. */
export interface BrokenClaim {
  readonly source: string;
  /** The height that it announces. */
  readonly claimed: number;
  /** The height below the first block that it does not return; `tip` returns this height instead. */
  readonly given: number;
}

/**
 * A source whose blocks are checked. A range that contains a wrong block is refused as a whole. The source must be
 * on the agreed network before it is used.
 */
export class CheckedSource implements BlockSource {
  private readonly problemsOf: ProblemOf[] = [];
  private readonly claim = new UnkeptClaim();
  private isClaimTold = false;
  private readonly rules: SourceNetwork;

  constructor(
    private readonly source: RawSource,
    agreed: AgreedNetwork,
    verification: Verification,
    private readonly onBrokenClaim: (claim: BrokenClaim) => void = () => undefined,
    onAnnouncedRules: (announcement: Announcement) => void = () => undefined,
  ) {
    this.rules = new SourceNetwork(source, agreed, verification, onAnnouncedRules);
  }

  get name(): string {
    return this.source.name;
  }

  network(): Promise<Network | null> {
    return this.rules.network();
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
    return this.onItsNetwork(async () => {
      const [block] = await this.read(height, height);
      if (block === undefined) return null;
      this.rules.known.checker.verifySignatures([block]);
      return block;
    });
  }

  blocks(from: number, to: number): Promise<Block[]> {
    return this.onItsNetwork(async () => {
      const blocks = await this.read(from, to);
      const { checker } = this.rules.known;
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

  private async onItsNetwork<T>(request: () => Promise<T>): Promise<T> {
    try {
      await this.network();
      return await request();
    } catch (error) {
      this.rules.askAgain();
      throw error;
    }
  }

  /** Checks everything except signatures. */
  private async read(from: number, to: number): Promise<Block[]> {
    const { known } = this.rules;
    this.rules.assertBelow(from, to);
    const blocks = await this.check(await this.source.blocks(from, to), from, known);
    for (const block of blocks) this.assertTrusted(block, known.checker);
    this.claim.gave(from, to, blocks.at(-1) ?? null);
    return blocks;
  }

  private async check(received: readonly Block[], from: number, known: Checked): Promise<Block[]> {
    try {
      return known.checker.check(received, from);
    } catch (error) {
      const checker = await this.rules.newerChecker(error, known);
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
    if (owed !== null) await this.read(Math.max(owed.height - 1, 1), owed.height);
  }

  private assertTrusted(block: Block, checker: BlockChecker): void {
    for (const problemOf of this.problemsOf) {
      const problem = problemOf(block);
      if (problem !== null) throw checker.refuse(block, problem);
    }
  }
}
