/** Heights from `from` to `to`, both included. */
export interface HeightRange {
  readonly from: number;
  readonly to: number;
}

/** `poll` asks the source for its tip; `plan` looks only at what is fetched and staged by now. */
export interface FollowJob {
  readonly reason: 'poll' | 'plan';
}

/** A job holds a range, never blocks. */
export interface FetchJob extends HeightRange {
  /** How often in a row the source gave here what cannot be right. (Default: 0) */
  readonly refusals?: number;
}

/** `led`: a process begins to write. `staged`: blocks may be waiting. `fork`: the source has another block where our head is; look for the common one. */
export interface ApplyJob {
  readonly reason: 'led' | 'staged' | 'fork';
}
