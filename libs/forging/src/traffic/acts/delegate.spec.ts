import { makeChain, makeSigner } from '@roundhouse/testing';
import type { ChainState } from '../../chain/chain-state.js';
import { Draft } from '../../forging/draft.js';
import { SeededRandom } from '../../random/seeded-random.js';
import type { Scene } from '../scene.js';
import { resignDelegate } from './delegate.js';

describe('a resignation', () => {
  const { state } = makeChain({ delegates: 63 }, 20);

  /** The next block of a chain of which so many delegates have resigned. */
  const sceneWith = (resigned: number): Scene => {
    const size = state.eligibleDelegates.length + resigned;
    const ledger: unknown = Object.create(state.ledger, { delegates: { value: { size } } });
    const later = Object.create(state, { ledger: { value: ledger } }) as ChainState;
    const random = SeededRandom.of('resignations');
    const { ring } = makeSigner();
    const draft = new Draft(later);
    return { height: 21, random, ring, state: later, draft, popularity: 0, isDense: false };
  };

  it('is possible until 200 delegates have resigned', () => {
    expect(resignDelegate(sceneWith(199))).not.toBeNull();
    expect(resignDelegate(sceneWith(200))).toBeNull();
  });
});
