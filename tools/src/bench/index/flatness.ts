/** A height that the index reached, and the ms since the indexer began its work. */
export interface Progress {
  readonly height: number;
  readonly ms: number;
}

/** The time in ms at which `height` was reached, interpolated between two commits. */
const timeAt = (progress: readonly Progress[], height: number): number => {
  const after = progress.findIndex((each) => each.height >= height);
  const b = progress[after];
  if (b === undefined) throw new RangeError(`Height ${height} was never reached.`);
  const a = progress[after - 1] ?? { height: 0, ms: 0 };
  return a.ms + ((b.ms - a.ms) * (height - a.height)) / (b.height - a.height);
};

/** Blocks per second in the last tenth of a run, as a share of those in its first tenth. */
export const flatnessOf = (progress: readonly Progress[], blocks: number): number =>
  timeAt(progress, blocks / 10) / (timeAt(progress, blocks) - timeAt(progress, (blocks * 9) / 10));
