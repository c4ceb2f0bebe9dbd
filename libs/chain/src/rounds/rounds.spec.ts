import { NetworkConfigError } from '../errors/chain-error.js';
import { MilestoneSchedule } from '../network/milestones.js';
import { FIRST } from '../network/milestones.harness.js';
import { roundOf, slotOf, slotTime } from './rounds.js';
import { heightsForSlots } from './slot-heights.js';

describe('roundOf', () => {
  const constant = new MilestoneSchedule([FIRST]);

  it.each([
    [1, 1],
    [51, 1],
    [52, 2],
    [102, 2],
    [103, 3],
  ])('height %i is in round %i', (height, round) => {
    const [firstHeight, lastHeight] = [51 * (round - 1) + 1, 51 * round];
    expect(roundOf(constant, height)).toMatchObject({ round, firstHeight, lastHeight });
  });

  it('restarts counting at each change of activeDelegates', () => {
    const [to53, to51] = [
      { height: 103, activeDelegates: 53 },
      { height: 209, activeDelegates: 51 },
    ];
    const changing = new MilestoneSchedule([FIRST, to53, to51]);
    expect(roundOf(changing, 102)).toMatchObject({ round: 2, lastHeight: 102 });
    expect(roundOf(changing, 103)).toMatchObject({
      round: 3,
      firstHeight: 103,
      lastHeight: 155,
      activeDelegates: 53,
    });
    expect(roundOf(changing, 156)).toMatchObject({ round: 4, firstHeight: 156 });
    expect(roundOf(changing, 209)).toMatchObject({ round: 5, firstHeight: 209, lastHeight: 259 });
  });

  it('refuses a change within a round', () => {
    const changedMidRound = new MilestoneSchedule([FIRST, { height: 60, activeDelegates: 53 }]);
    expect(() => roundOf(changedMidRound, 60)).toThrow(NetworkConfigError);
  });
});

describe('slotOf', () => {
  const never = (): never => {
    throw new Error('no timestamp is needed if the block time never changed');
  };

  it('divides by the block time if it never changed', () => {
    const constant = new MilestoneSchedule([FIRST]);
    expect(slotOf(constant, 7, 1, never)).toBe(0);
    expect(slotOf(constant, 8, 1, never)).toBe(1);
    expect(slotTime(constant, 1, 1, never)).toBe(8);
    expect(heightsForSlots(constant, 1000)).toEqual([]);
  });

  // Heights 1–3 have 8 s (timestamps 0, 8, 24), heights 4–6 have 4 s (32, 36, 44), from height 7 on it is 2 s.
  const timestamps = [0, 8, 24, 32, 36, 44, 48, 52];
  const timestampAt = (height: number): number => timestamps[height - 1]!;
  const changing = new MilestoneSchedule([FIRST, { height: 4, blocktime: 4 }, { height: 7, blocktime: 2 }]);

  it.each([
    [3, 24, 3],
    [4, 32, 4],
    [5, 36, 5],
    [6, 44, 7],
    [7, 48, 8],
    [8, 52, 10],
  ])('counts piecewise across changes: height %i at %i s is slot %i', (height, timestamp, slot) => {
    expect(slotOf(changing, timestamp, height, timestampAt)).toBe(slot);
    expect(slotTime(changing, slot, height, timestampAt)).toBe(timestamp);
  });

  it('lists the heights whose timestamps are needed', () => {
    for (const height of [3, 5, 8]) {
      const asked = new Set<number>();
      slotOf(changing, 100, height, (at) => {
        asked.add(at);
        return timestampAt(at);
      });
      expect(new Set(heightsForSlots(changing, height))).toEqual(asked);
    }
  });
});
