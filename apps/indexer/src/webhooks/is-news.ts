import type { Block, MilestoneSchedule } from '@roundhouse/chain';

/**
 * Whether a block that was not read in bulk can still be undone, so that webhooks are told of it. A source may claim any
 * height, and a clock may be wrong: one of them is enough.
 */
export const isNews = (
  { height, timestamp }: Block,
  milestones: MilestoneSchedule,
  claimedHeight: number,
  undoDepth: number,
): boolean => {
  if (height > claimedHeight - undoDepth) return true;
  const { epoch, blocktime } = milestones.at(height);
  const age = (Date.now() - Date.parse(epoch)) / 1_000 - timestamp;
  return age < undoDepth * blocktime;
};
