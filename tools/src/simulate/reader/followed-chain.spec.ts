import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChainEvent } from '@roundhouse/client';
import { BlockTree } from './block-tree.js';
import { FollowedChain } from './followed-chain.js';

const tree = new BlockTree();
const add = (height: number, id: string, previousBlock: string): void =>
  tree.add({ id, height, previousBlock, generatorPublicKey: 'k', totalFee: '0', reward: '0' });
add(1, '1', '0');
add(2, '2a', '1');
add(3, '3a', '2a');
add(2, '2b', '1');
add(3, '3b', '2b');

let sequence = 0;
const event = (type: ChainEvent['type'], data: object): ChainEvent =>
  ({ type, id: String((sequence += 1)), data }) as ChainEvent;
const head = (height: number, id: string, blocks: number, forged = 3n): ChainEvent =>
  event('head', { height, id, blocks, reward: 2n, totalFee: 1n, forged });
const fork = (commonHeight: number, commonId: string, height: number, id: string): ChainEvent =>
  event('fork', { commonHeight, commonId, from: { height, id } });

describe('a client that follows /events', () => {
  let chain: FollowedChain;

  beforeEach(() => {
    chain = new FollowedChain();
  });

  const problemsAfter = (...events: readonly ChainEvent[]): string[] => {
    for (const each of events) chain.take(each);
    return [
      ...chain.problems,
      ...chain.claims.filter(({ holds }) => !holds(tree)).map(({ sentence }) => sentence),
    ];
  };

  it('ends with the newest block after a fork', () => {
    const events = [
      head(1, '1', 1),
      head(3, '3a', 2),
      fork(1, '1', 3, '3a'),
      head(1, '1', 0),
      head(3, '3b', 2),
    ];
    expect(problemsAfter(...events)).toEqual([]);
    expect(chain.head).toEqual({ height: 3, id: '3b' });
  });

  it('starts over after a reset', () => {
    expect(problemsAfter(head(3, '3a', 1), event('reset', { commonHeight: 0 }), head(2, '2b', 1))).toEqual(
      [],
    );
    expect(chain.head).toEqual({ height: 2, id: '2b' });
  });

  it('notices a lost event', () => {
    expect(problemsAfter(head(1, '1', 1), head(3, '3a', 1))).toHaveLength(1);
  });

  it('notices an unannounced fork', () => {
    expect(problemsAfter(head(2, '2a', 1), head(3, '3b', 1))).toHaveLength(1);
  });

  it('notices a fork from or to a block that it does not know', () => {
    expect(problemsAfter(head(2, '2a', 1), fork(1, '1', 2, '2b'))).toHaveLength(1);
    expect(problemsAfter(head(1, '1', 0), head(2, '2a', 1), fork(1, 'z', 2, '2a'))).toHaveLength(2);
  });

  it('notices a block of no branch, a decreasing id, and a wrong sum', () => {
    expect(problemsAfter(head(3, 'z', 1))).toHaveLength(1);
    expect(problemsAfter({ ...head(3, '3a', 0), id: '1' } as ChainEvent)).not.toHaveLength(1);
    chain = new FollowedChain();
    expect(problemsAfter(head(1, '1', 1, 4n))).toHaveLength(1);
  });
});
