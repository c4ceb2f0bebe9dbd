import type { KnownType } from '../types/index.js';
import { isKnownType } from '../types/of-type.js';
import { movesUnknown } from '../types/unknown.js';
import type { ChainConstants } from './chain-constants.js';
import { MilestoneSchedule } from './milestones.js';
import type { Network } from './network.js';

/** The constants that change what is indexed; fees are only displayed. */
const RULES = [
  'reward',
  'activeDelegates',
  'blocktime',
  'epoch',
  'idFullSha256',
] as const satisfies readonly (keyof ChainConstants)[];

/**
 * The lowest height from which two configurations of one chain would index the same blocks differently; null if there
 * is none. An upgraded node announces future milestones; past ones, and the form of addresses, never change.
 */
export const firstDifferentHeight = (one: Network, other: Network): number | null => {
  if (one.pubKeyHash !== other.pubKeyHash) return 1;
  const [ours, theirs] = [new MilestoneSchedule(one.milestones), new MilestoneSchedule(other.milestones)];
  const heights = [...one.milestones, ...other.milestones].map(({ height }) => height).sort((a, b) => a - b);
  const isDifferent = (height: number): boolean =>
    RULES.some((rule) => ours.at(height)[rule] !== theirs.at(height)[rule]);
  return heights.find(isDifferent) ?? null;
};

/** The unknown types whose amounts move by only one of two configurations (`customTypes`). */
export const typesMovedByOne = (one: Network, other: Network): KnownType[] =>
  [...(one.customTypes ?? []), ...(other.customTypes ?? [])].filter(
    (type) =>
      !isKnownType(type.typeGroup, type.type) && movesUnknown(type, one) !== movesUnknown(type, other),
  );
