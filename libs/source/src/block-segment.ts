/** Consecutive blocks as archive lines, not decoded yet. */
export interface BlockSegment {
  readonly firstHeight: number;
  /** Whole archive lines, one block each. */
  readonly bytes: Uint8Array;
}
