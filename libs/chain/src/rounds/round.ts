import { NetworkConfigError } from '../errors/chain-error.js';
import type { MilestoneSchedule } from '../network/milestones.js';

/** The heights of one round, both included. */
export interface Round {
  readonly round: number;
  readonly firstHeight: number;
  readonly lastHeight: number;
  readonly activeDelegates: number;
}

/** The round of `height` (protocol.md, "Rounds"). Counting restarts at each change of `activeDelegates`. */
export const roundOf = (milestones: MilestoneSchedule, height: number): Round => {
  const changes = milestones.changesOf('activeDelegates');
  let round = 1;
  let span = changes[0]!;
  for (let i = 1; i < changes.length; i += 1) {
    const next = changes[i]!;
    if (next.height > height) break;
    const length = next.height - span.height;
    if (length % span.value !== 0) {
      throw new NetworkConfigError(
        `The milestone at height ${next.height} changes "activeDelegates" within a round; move it to a round's first height.`,
      );
    }
    round += length / span.value;
    span = next;
  }
  const passed = Math.floor((height - span.height) / span.value);
  const firstHeight = span.height + passed * span.value;
  return {
    round: round + passed,
    firstHeight,
    lastHeight: firstHeight + span.value - 1,
    activeDelegates: span.value,
  };
};
