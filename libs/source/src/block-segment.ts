/** Consecutive blocks as archive lines, not decoded yet. */
export interface BlockSegment {
  readonly firstHeight: number;
  /** Whole lines, one block each, as an archive has them. */
  readonly bytes: Uint8Array;
}
