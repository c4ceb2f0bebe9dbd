import { expect, it } from '@jest/globals';
import { aDelegate, aDelegateRound } from '../status/status.harness.js';
import { delegateView, withoutRoundsAbove } from './page-state.js';

it('a fork undoes the rounds of a delegate that ended above the common height', () => {
  const rounds = [3, 2, 1].map((round) => aDelegateRound(round));
  const view = delegateView(aDelegate(1), [], 0, rounds);
  expect(withoutRoundsAbove(view, 8)).toEqual({ ...view, rounds: rounds.slice(1) });
  expect(withoutRoundsAbove(view, 12)).toEqual(view);
});
