/** Consecutive blocks as a local source holds them, not decoded yet. */
export interface BlockSegment {
  readonly firstHeight: number;
  /** Whole lines of an archive, one block each. */
  readonly bytes: Uint8Array;
}
