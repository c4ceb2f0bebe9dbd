import { forgerAt, roundOf, slotOf, slotTime, type MilestoneSchedule, type Round } from '@roundhouse/chain';
import type { PastRoundDto, SlotDto } from '@roundhouse/dto';
import type { RoundState } from '@roundhouse/readers';

const MOST_PAST_ROUNDS = 20;

/** The newest rounds that ended before `firstHeight`, oldest first. */
export const pastRounds = (milestones: MilestoneSchedule, firstHeight: number): Round[] => {
  const rounds: Round[] = [];
  for (let height = firstHeight - 1; height >= 1 && rounds.length < MOST_PAST_ROUNDS;) {
    const round = roundOf(milestones, height);
    rounds.unshift(round);
    height = round.firstHeight - 1;
  }
  return rounds;
};

/** The heights between which the time of a round is measured. The first round starts at the genesis block. */
export const boundariesOf = ({ firstHeight, lastHeight }: Round): readonly [from: number, to: number] => [
  Math.max(1, firstHeight - 1),
  lastHeight,
];

/** Computes slots from the timestamps of known blocks. */
export class Slots {
  constructor(
    private readonly milestones: MilestoneSchedule,
    private readonly timestamps: RoundState['timestamps'],
  ) {}

  /** The slot of a block. */
  at(height: number, timestamp = this.timestampAt(height)): number {
    return slotOf(this.milestones, timestamp, height, this.timestampAt);
  }

  /** When a slot begins, as seen at a height. */
  timeOf(slot: number, height: number): number {
    return slotTime(this.milestones, slot, height, this.timestampAt);
  }

  readonly timestampAt = (height: number): number => this.timestamps[height]!;
}

export const pastRoundOf = (slots: Slots, round: Round): PastRoundDto => {
  const [from, to] = boundariesOf(round);
  // The genesis block has no slot of its own.
  const passed = slots.at(to) - slots.at(from);
  return {
    round: round.round,
    firstHeight: round.firstHeight,
    lastHeight: round.lastHeight,
    blocks: round.lastHeight - round.firstHeight + 1,
    seconds: slots.timestampAt(to) - slots.timestampAt(from),
    missedSlots: Math.max(0, passed - (to - from)),
  };
};

/** The round of the next block: its newest slots that passed, and those that are due if no delegate misses another one. */
export const currentRoundOf = (slots: Slots, round: Round, state: RoundState, head: number) => {
  const { firstHeight, lastHeight, activeDelegates } = round;
  const bySlot = new Map(state.blocks.map((block) => [slots.at(block.height, block.timestamp), block]));
  const headSlot = slots.at(head);
  const first = firstHeight === 1 ? slots.at(1) : slots.at(firstHeight - 1) + 1;
  const shown: SlotDto[] = [];
  const last = headSlot + lastHeight - head;
  for (let slot = Math.max(first, headSlot - 2 * activeDelegates + 1); slot <= last; slot += 1) {
    const block = bySlot.get(slot);
    const publicKey = block?.publicKey ?? forgerAt(state, slot);
    shown.push({
      slot,
      timestamp: slots.timeOf(slot, block?.height ?? head),
      publicKey,
      username: state.usernames[publicKey] ?? null,
      state: block ? 'forged' : slot > headSlot ? 'due' : 'missed',
      height: block?.height ?? null,
    });
  }
  const missedSlots = Math.max(0, headSlot - first + 1 - bySlot.size);
  return { round: round.round, firstHeight, lastHeight, missedSlots, slots: shown };
};
