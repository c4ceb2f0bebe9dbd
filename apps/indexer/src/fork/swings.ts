/** Chains do go back to a branch that they have left, but not time and again. */
const FREE_RETURNS = 1;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

/** Without a fork for so long, those before it are forgotten. */
const FORGOTTEN_AFTER_MS = 3_600_000;

export interface Pause {
  /** How often the source has come back to a branch that was left. */
  readonly returns: number;
  readonly ms: number;
  /** Whether it has not been told yet. */
  readonly isNew: boolean;
}

/** Notes which branches were left, so that a source that goes to and fro between two is followed ever more slowly. */
export class Swings {
  /** First blocks of branches that were undone. */
  private readonly left = new Set<string>();
  private returns = 0;
  private followedAt = -Infinity;
  private isTold = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How long no return is followed from now on, in ms; 0 where the next one would be. */
  get pauseMs(): number {
    const over = this.returns - FREE_RETURNS;
    if (over < 0) return 0;
    const whole = Math.min(FIRST_PAUSE_MS * 2 ** over, LONGEST_PAUSE_MS);
    return Math.max(this.followedAt + whole - this.now(), 0);
  }

  /** Null where the fork from block `ours` to block `theirs` is to be followed now, and is noted as followed. */
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
