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
    return slotOf(this.milestones, timestamp, height, (other) => this.timestampAt(other));
  }

  /** When a slot begins, as seen at a height. */
  timeOf(slot: number, height: number): number {
    return slotTime(this.milestones, slot, height, (other) => this.timestampAt(other));
  }

  timestampAt(height: number): number {
    return this.timestamps[height]!;
  }
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

/** The newest slots of a round up to the head, and how many slots of the whole round had no block. */
const passedSlots = (
  slots: Slots,
  { firstHeight, activeDelegates }: Round,
  state: RoundState,
  head: number,
): { readonly passed: SlotDto[]; readonly missedSlots: number } => {
  const { blocks, usernames } = state;
  const bySlot = new Map(blocks.map((block) => [slots.at(block.height, block.timestamp), block]));
  const last = slots.at(head);
  const first = firstHeight === 1 ? slots.at(1) : slots.at(firstHeight - 1) + 1;
  const passed: SlotDto[] = [];
  for (let slot = Math.max(first, last - 2 * activeDelegates + 1); slot <= last; slot += 1) {
    const block = bySlot.get(slot);
    const publicKey = block?.publicKey ?? forgerAt(state, slot);
    passed.push({
      slot,
      timestamp: slots.timeOf(slot, block?.height ?? head),
      publicKey,
      username: usernames[publicKey] ?? null,
      state: block ? 'forged' : 'missed',
      height: block?.height ?? null,
    });
  }
  return { passed, missedSlots: Math.max(0, last - first + 1 - bySlot.size) };
};

/** The round of the next block: the slots that passed, and those that are due if no delegate misses another one. */
export const currentRoundOf = (slots: Slots, round: Round, state: RoundState, head: number) => {
  const { usernames } = state;
  const { passed, missedSlots } = passedSlots(slots, round, state, head);
  const headSlot = slots.at(head);
  const due = Array.from({ length: round.lastHeight - head }, (_, index): SlotDto => {
    const slot = headSlot + 1 + index;
    const publicKey = forgerAt(state, slot);
    const username = usernames[publicKey] ?? null;
    return { slot, timestamp: slots.timeOf(slot, head), publicKey, username, state: 'due', height: null };
  });
  const { firstHeight, lastHeight } = round;
  return { round: round.round, firstHeight, lastHeight, missedSlots, slots: [...passed, ...due] };
};
