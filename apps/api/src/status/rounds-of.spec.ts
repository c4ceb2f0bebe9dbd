import { describe, expect, it } from '@jest/globals';
import { MilestoneSchedule, roundOf, type Milestone } from '@roundhouse/chain';
import type { RoundState } from '@roundhouse/readers';
import { currentRoundOf, pastRoundOf, pastRounds, Slots } from './rounds-of.js';

const FEES = { staticFees: { transfer: 1, secondSignature: 1, delegateRegistration: 1 } };

/** Rounds of three blocks, and of two from height 10 on. */
const scheduleOf = (...later: Milestone[]): MilestoneSchedule =>
  new MilestoneSchedule([
    { height: 1, reward: 0, activeDelegates: 3, blocktime: 8, epoch: '2017-03-21T13:00:00.000Z', fees: FEES },
    { height: 10, activeDelegates: 2 },
    ...later,
  ]);

const FORGERS = ['02aa', '02bb', '02cc'];

/** A round in which these blocks were forged. */
const stateOf = (
  blocks: readonly (readonly [height: number, slot: number])[],
  before: Readonly<Record<number, number>> = {},
): RoundState => ({
  forgingOrder: FORGERS,
  firstSlot: 0,
  forgottenClaims: 0,
  blocks: blocks.map(([height, slot]) => ({
    height,
    timestamp: slot * 8 + 3,
    publicKey: FORGERS[slot % 3]!,
  })),
  timestamps: Object.fromEntries([
    ...blocks.map(([height, slot]) => [height, slot * 8 + 3]),
    ...Object.entries(before).map(([height, slot]) => [height, slot * 8]),
  ]) as Record<number, number>,
  usernames: { '02aa': 'a' },
  lastEventId: null,
});

describe('the rounds that ended', () => {
  it('are the newest twenty, oldest first, whatever their lengths', () => {
    const rounds = pastRounds(scheduleOf(), 16);
    expect(rounds.map(({ round, firstHeight, lastHeight }) => [round, firstHeight, lastHeight])).toEqual([
      [1, 1, 3],
      [2, 4, 6],
      [3, 7, 9],
      [4, 10, 11],
      [5, 12, 13],
      [6, 14, 15],
    ]);
    expect(pastRounds(scheduleOf(), 1000)).toHaveLength(20);
    expect(pastRounds(scheduleOf(), 1)).toEqual([]);
  });

  it('are measured from the last block before them, the first from the genesis block', () => {
    const slots = new Slots(scheduleOf(), { 1: 0, 3: 50 * 8, 6: 55 * 8 + 4 });
    const [first, second] = pastRounds(scheduleOf(), 7);
    expect(pastRoundOf(slots, first!)).toMatchObject({ blocks: 3, seconds: 400, missedSlots: 48 });
    expect(pastRoundOf(slots, second!)).toMatchObject({ blocks: 3, seconds: 44, missedSlots: 2 });
  });

  it('count no slot as missed because of a change of block time', () => {
    const milestones = scheduleOf({ height: 13, blocktime: 4 });
    const slots = new Slots(milestones, { 1: 0, 11: 80, 12: 88, 13: 96 });
    expect(pastRoundOf(slots, roundOf(milestones, 13)).missedSlots).toBe(0);
  });
});

describe('the round of the next block', () => {
  const milestones = scheduleOf();
  const current = (head: number, state: RoundState) =>
    currentRoundOf(new Slots(milestones, state.timestamps), roundOf(milestones, head + 1), state, head);

  it('names the delegate that forged a block, even in the slot of another one', () => {
    const state = stateOf([[4, 7]], { 3: 6 });
    const stolen = { ...state, blocks: [{ ...state.blocks[0]!, publicKey: '02cc' }] };
    expect(current(4, stolen).slots[0]).toMatchObject({ publicKey: '02cc', username: null, state: 'forged' });
  });
});
