/** Real chains may return to a branch that they left, but not repeatedly. */
const FREE_RETURNS = 1;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

/** After this time without a fork, earlier ones are forgotten. */
const FORGOTTEN_AFTER_MS = 3_600_000;

export interface Pause {
  /** How often the source has returned to a branch that it had left. */
  readonly returns: number;
  readonly ms: number;
  /** Whether this pause is returned for the first time. */
  readonly isNew: boolean;
}

/** Remembers which branches were left: the more often a source switches between two, the longer the pauses. */
export class Swings {
  /** First blocks of branches that were undone. */
  private readonly left = new Set<string>();
  private returns = 0;
  private followedAt = -Infinity;
  private isTold = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** For how long returns are not followed (ms); 0 if the next one is followed. */
  get pauseMs(): number {
    const over = this.returns - FREE_RETURNS;
    if (over < 0) return 0;
    const whole = Math.min(FIRST_PAUSE_MS * 2 ** over, LONGEST_PAUSE_MS);
    return Math.max(this.followedAt + whole - this.now(), 0);
  }

  /** Null if the fork from block `ours` to block `theirs` should be followed now; it then counts as followed. */
  follow(ours: string, theirs: string): Pause | null {
    if (this.now() - this.followedAt > FORGOTTEN_AFTER_MS) {
      this.left.clear();
      this.returns = 0;
    }
    const isReturn = this.left.has(theirs);
    if (isReturn && this.pauseMs > 0) {
      const isNew = !this.isTold;
      this.isTold = true;
      return { returns: this.returns, ms: this.pauseMs, isNew };
    }
    this.left.add(ours);
    if (isReturn) this.returns += 1;
    this.followedAt = this.now();
    this.isTold = false;
    return null;
  }
}
