import { describe, expect, it } from '@jest/globals';
import { aStatus, keyOf } from '../status/status.harness.js';
import { timeOf } from '../status/status.js';
import { turnOf, turnsOf } from './turns.js';

const status = aStatus();
const at = (seconds: number): number => timeOf(status, seconds);
const states = (now: number | null) =>
  turnsOf(status, now).shown.map(({ slot, state }) => `${slot} ${state}`);

describe('whose turn it is', () => {
  it('follows from the head alone where no clock runs', () => {
    expect(states(null).slice(0, 2)).toEqual(['102 next', '103 next']);
    expect(turnsOf(status, null).lateCount).toBe(0);
  });

  it('a slot that runs is not late', () => {
    expect(states(at(815.9))[0]).toBe('102 next');
    expect(states(at(816))[0]).toBe('102 now');
    expect(states(at(823.9))[0]).toBe('102 now');
  });

  it('a slot that is over without a block is late', () => {
    expect(states(at(824)).slice(0, 3)).toEqual(['102 late', '103 now', '104 next']);
  });

  it('of many late slots the newest are shown and all are counted', () => {
    const turns = turnsOf(status, at(816 + 8 * 50));
    expect(turns.lateCount).toBe(50);
    expect(turns.shown.map(({ state }) => state).slice(0, 5)).toEqual([
      'late',
      'late',
      'late',
      'now',
      'next',
    ]);
    expect(turns.shown[0]?.slot).toBe(102 + 47);
  });

  it('goes round the order past the slots that are known', () => {
    const [, , third] = turnsOf(status, null).shown;
    expect(third).toMatchObject({ slot: 104, username: 'delegate_1' });
  });
});

describe('the next turn of a delegate', () => {
  it('is found anywhere in the order', () => {
    expect(turnOf(status, null, keyOf(2))).toMatchObject({ slot: 105, state: 'next' });
  });

  it('is the one that it is late with', () => {
    expect(turnOf(status, at(824), keyOf(3))).toMatchObject({ slot: 102, state: 'late' });
  });

  it('is unknown for who does not forge', () => expect(turnOf(status, null, keyOf(9))).toBeUndefined());
});
