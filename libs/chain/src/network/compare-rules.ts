import { MilestoneSchedule, type ChainConstants } from './milestones.js';
import type { Network } from './network.js';

/** The constants that the index of a block depends on; fees are only told. */
const RULES = [
  'reward',
  'activeDelegates',
  'blocktime',
  'epoch',
  'idFullSha256',
] as const satisfies readonly (keyof ChainConstants)[];

/**
 * The lowest height at which two configurations of one chain make another index of the same blocks; null where none
 * does. A node that is upgraded tells of milestones that come; those that have passed stay as they were.
 */
export const firstDifferentHeight = (one: Network, other: Network): number | null => {
  const [ours, theirs] = [new MilestoneSchedule(one.milestones), new MilestoneSchedule(other.milestones)];
  const heights = [...one.milestones, ...other.milestones].map(({ height }) => height).sort((a, b) => a - b);
  const isDifferent = (height: number): boolean =>
    RULES.some((rule) => ours.at(height)[rule] !== theirs.at(height)[rule]);
  return heights.find(isDifferent) ?? null;
};
