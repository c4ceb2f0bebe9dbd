/** Heights from `from` to `to`, both included. */
export interface HeightRange {
  readonly from: number;
  readonly to: number;
}

/** `poll` asks the source for its tip; `plan` only looks at what is fetched and staged. */
export interface FollowJob {
  readonly reason: 'poll' | 'plan';
}

/** A job holds a range, never blocks. */
export interface FetchJob extends HeightRange {
  /** How many times in a row the source returned an invalid answer for this range. (Default: 0) */
  readonly refusals?: number;
}

/**
 * `led`: a process became the leader. `staged`: blocks may be waiting. `fork`: the source has another block at our
 * head's height; find the common block.
 */
export interface ApplyJob {
  readonly reason: 'led' | 'staged' | 'fork';
}

/** Something may wait for this webhook. */
export interface DeliverJob {
  readonly webhook: string;
}
