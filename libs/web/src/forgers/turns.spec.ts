import { describe, expect, it } from '@jest/globals';
import { aStatus, keyOf } from '../status/status.harness.js';
import { timeOf } from '../status/status.js';
import { turnOf, turnsOf } from './turns.js';

const status = aStatus();
const at = (seconds: number): number => timeOf(status, seconds);
const states = (now: number | null) =>
  turnsOf(status, now).shown.map(({ slot, state }) => `${slot} ${state}`);

describe('the turns after the head', () => {
  it('begin after the slot of the head if there is no clock', () => {
    expect(states(null).slice(0, 2)).toEqual(['102 next', '103 next']);
    expect(turnsOf(status, null).lateCount).toBe(0);
  });

  it('are not late while their slot lasts', () => {
    expect(states(at(815.9))[0]).toBe('102 next');
    expect(states(at(816))[0]).toBe('102 now');
    expect(states(at(823.9))[0]).toBe('102 now');
  });

  it('are late if their slot ended without a block', () => {
    expect(states(at(824)).slice(0, 3)).toEqual(['102 late', '103 now', '104 next']);
  });

  it('show only the newest of many late slots, and count all', () => {
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

  it('repeat the forging order after the known slots', () => {
    const [, , third] = turnsOf(status, null).shown;
    expect(third).toMatchObject({ slot: 104, username: 'delegate_1' });
  });
});

describe('the next turn of a delegate', () => {
  it('is found anywhere in the order', () => {
    expect(turnOf(status, null, keyOf(2))).toMatchObject({ slot: 105, state: 'next' });
  });

  it('is the turn that it is late with', () => {
    expect(turnOf(status, at(824), keyOf(3))).toMatchObject({ slot: 102, state: 'late' });
  });

  it('is unknown for a delegate that does not forge', () =>
    expect(turnOf(status, null, keyOf(9))).toBeUndefined());
});
