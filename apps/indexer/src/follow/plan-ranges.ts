import type { HeightRange } from '@roundhouse/jobs';
import type { StagedRange } from '@roundhouse/storage';

export interface PlanInput {
  /** Height of the newest indexed block; 0 before the genesis block. */
  readonly head: number;
  /** Height of the newest block that the source has. */
  readonly tip: number;
  readonly staged: readonly StagedRange[];
  /** Ranges that have a job, or whose job has just failed. */
  readonly taken: readonly HeightRange[];
  /** How many blocks a range should hold. */
  readonly rangeBlocks: number;
  /** The estimated size of a block that is not staged yet. */
  readonly bytesPerBlock: number;
  /** The most ranges that have jobs at a time. */
  readonly maxJobs: number;
  /** The limit for staged ranges and those that are being fetched. */
  readonly maxStagedBytes: number;
}

const byFrom = (a: HeightRange, b: HeightRange): number => a.from - b.from;

/**
 * The ranges to fetch now, ascending: the gaps above the head that are neither staged nor taken, within the limits of
 * jobs and bytes. The range right above the head is planned regardless of limits, because everything waits for it.
 */
export const planRanges = (input: PlanInput): HeightRange[] => {
  const { head, tip, staged, taken, rangeBlocks, bytesPerBlock } = input;
  const covered = [...staged, ...taken].sort(byFrom);
  const planned: HeightRange[] = [];
  let jobs = input.maxJobs - taken.length;
  let bytes = input.maxStagedBytes;
  for (const { sizeBytes } of staged) bytes -= sizeBytes;
  for (const { from, to } of taken) bytes -= (to - from + 1) * bytesPerBlock;

  let next = head + 1;
  let index = 0;
  while (next <= tip) {
    while (index < covered.length && covered[index]!.to < next) index += 1;
    const ahead = covered[index];
    if (ahead !== undefined && ahead.from <= next) {
      next = ahead.to + 1;
      continue;
    }
    const isDue = next === head + 1;
    if (!isDue && (jobs <= 0 || bytes <= 0)) break;
    const to = Math.min(next + rangeBlocks - 1, tip, (ahead?.from ?? Infinity) - 1);
    planned.push({ from: next, to });
    jobs -= 1;
    bytes -= (to - next + 1) * bytesPerBlock;
    next = to + 1;
  }
  return planned;
};
