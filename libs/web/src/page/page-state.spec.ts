import { expect, it } from '@jest/globals';
import { aDelegate } from '../status/status.harness.js';
import { delegateView, withoutRoundsAbove } from './page-state.js';

it('a fork undoes the rounds of a delegate that ended above the common height', () => {
  const rounds = [12, 8, 4].map((height) => ({ round: height / 4, height, weight: 1n, rank: 1 }));
  const view = delegateView(aDelegate(1), [], 0, rounds);
  expect(withoutRoundsAbove(view, 8)).toEqual({ ...view, rounds: rounds.slice(1) });
  expect(withoutRoundsAbove(view, 12)).toEqual(view);
});
