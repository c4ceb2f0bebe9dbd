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

/**
 * Returns the timestamp of a block in seconds since the epoch. Only called for heights around a change of the block
 * time.
 */
export type TimestampAt = (height: number) => number;

interface Stretch {
  /** The number of slots before the stretch. */
  readonly slots: number;
  /** Seconds since the epoch at which the stretch begins. */
  readonly start: number;
  readonly blocktime: number;
}

/**
 * The delegate that has a slot. The order begins at `firstSlot`, and begins again after its last.
 */
export const forgerAt = (
  { forgingOrder, firstSlot }: { readonly forgingOrder: readonly string[]; readonly firstSlot: number },
  slot: number,
): string => {
  const { length } = forgingOrder;
  return forgingOrder[(((slot - firstSlot) % length) + length) % length]!;
};

const stretchAt = (milestones: MilestoneSchedule, height: number, timestampAt: TimestampAt): Stretch => {
  const [first, ...later] = milestones.changesOf('blocktime');
  let stretch: Stretch = { slots: 0, start: 0, blocktime: first!.value };
  let begin = first!.height;
  for (const change of later) {
    if (height < change.height) break;
    const { blocktime } = stretch;
    const start = timestampAt(change.height - 1) + blocktime;
    // Like Core 3.9, this measures the stretch from the timestamp of its own first block.
    const slots = stretch.slots + Math.floor((start - timestampAt(begin)) / blocktime);
    stretch = { slots, start, blocktime: change.value };
    begin = change.height;
  }
  return stretch;
};

/**
 * The slot of a timestamp as seen from `height` (protocol.md, "Rounds"), counted piecewise across changes of the
 * block time.
 */
export const slotOf = (
  milestones: MilestoneSchedule,
  timestamp: number,
  height: number,
  timestampAt: TimestampAt,
): number => {
  const { slots, start, blocktime } = stretchAt(milestones, height, timestampAt);
  return slots + Math.floor((timestamp - start) / blocktime);
};

/** The start of a slot in seconds since the epoch, as seen from `height`. */
export const slotTime = (
  milestones: MilestoneSchedule,
  slot: number,
  height: number,
  timestampAt: TimestampAt,
): number => {
  const { slots, start, blocktime } = stretchAt(milestones, height, timestampAt);
  return start + (slot - slots) * blocktime;
};
