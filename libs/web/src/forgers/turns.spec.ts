import { describe, expect, it } from '@jest/globals';
import { aStatus, keyOf } from '../status/status.harness.js';
import { timeOf } from '../status/status.js';
import { turnOf, turnsOf } from './turns.js';

const status = aStatus();

describe('the turns after the head', () => {
  it('begin after the slot of the head, one for each delegate of the round', () => {
    const turns = turnsOf(status);
    expect(turns.map(({ slot }) => slot)).toEqual([102, 103, 104, 105]);
    expect(turns.map(({ startsAt }) => startsAt)).toEqual(
      [816, 824, 832, 840].map((at) => timeOf(status, at)),
    );
  });

  it('repeat the forging order after the known slots', () =>
    expect(turnsOf(status)[2]).toMatchObject({ slot: 104, username: 'delegate_1' }));

  it('are none if no slot is due', () =>
    expect(turnsOf({ ...status, round: { ...status.round, slots: [] } })).toEqual([]));
});

describe('the next turn of a delegate', () => {
  it('is found anywhere in the order', () => expect(turnOf(status, keyOf(2))).toMatchObject({ slot: 105 }));

  it('is unknown for a delegate that does not forge', () => expect(turnOf(status, keyOf(9))).toBeUndefined());
});
