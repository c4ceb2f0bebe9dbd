import type { BlockRef } from '@roundhouse/chain';

/** A node tells of a block a moment before it gives it; one that keeps its lists for some seconds, that much earlier. */
const GRACE_MS = 10_000;

/** How long it is not asked for that block then; twice as long after each further time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

interface Owed {
  /** Of the lowest block that was not given. */
  readonly height: number;
  /** The block below it, where that was given. */
  readonly below: BlockRef | null;
  readonly since: number;
  readonly askAgainAt: number;
  readonly pauseMs: number;
}

/** What a source says it has, against what it gives when it is asked. */
export class UnkeptClaim {
  private claimed = 0;
  private first: Owed | null = null;

  /** Notes the height that the source tells. */
  claim(height: number): void {
    this.claimed = height;
    if (this.first !== null && height < this.first.height) this.first = null;
  }

  /** Notes what the source gave of the blocks from `from` to `to`: all up to `last`, none where that is null. */
  gave(from: number, to: number, last: BlockRef | null): void {
    const height = (last?.height ?? from - 1) + 1;
    if (this.first !== null && from <= this.first.height && this.first.height < height) this.first = null;
    const before = this.first;
    if (height > Math.min(to, this.claimed) || (before !== null && before.height < height)) return;
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

  /** The block that the source has owed for longer than it may; null where there is none. */
  get owed(): Pick<Owed, 'height' | 'below'> | null {
    const { first } = this;
    return first !== null && performance.now() - first.since >= GRACE_MS ? first : null;
  }

  /** Whether it is time to ask for that block again. */
  get isDue(): boolean {
    return this.first !== null && performance.now() >= this.first.askAgainAt;
  }
}
