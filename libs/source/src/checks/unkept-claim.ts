import { NO_BLOCK_ID, type BlockRef } from '@roundhouse/chain';

/** A source announces blocks that it does not return. */
export interface BrokenClaim {
  readonly source: string;
  /** The height that it announces. */
  readonly claimed: number;
  /** The height below the first block that it does not return; `tip` returns this height instead. */
  readonly given: number;
}

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

/** Compares what a source claims to have with what it returns, from the first block on that it did not return. */
export class UnkeptClaim {
  private claimed = 0;
  private first: Owed | null = null;
  private isTold = false;

  constructor(
    private readonly source: string,
    private readonly onBroken: (claim: BrokenClaim) => void,
  ) {}

  /** The tip that the source announces, or the last block that it did return. `read` asks for blocks, and tells `gave`. */
  async tipOf(tip: BlockRef, read: (from: number, to: number) => Promise<unknown>): Promise<BlockRef> {
    this.claim(tip.height);
    const { owed: lacking } = this;
    if (this.isDue && lacking !== null) await read(Math.max(lacking.height - 1, 1), lacking.height);
    const { owed } = this;
    if (owed === null) {
      this.isTold = false;
      return tip;
    }
    const given = owed.height - 1;
    if (!this.isTold) this.onBroken({ source: this.source, claimed: tip.height, given });
    this.isTold = true;
    return owed.below ?? { height: given, id: NO_BLOCK_ID };
  }

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
