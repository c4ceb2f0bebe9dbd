import type { MilestoneSchedule } from '../network/milestones.js';

/** The heights whose timestamps `slotOf` may need at `height`: none if the block time never changed. */
export const heightsForSlots = (milestones: MilestoneSchedule, height: number): number[] =>
  milestones
    .changesOf('blocktime')
    .filter((change, index) => index > 0 && change.height <= height)
    .flatMap((change, index, all) => [index === 0 ? 1 : all[index - 1]!.height, change.height - 1]);
