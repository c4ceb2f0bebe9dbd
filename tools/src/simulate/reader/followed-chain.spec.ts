import { describe, expect, it } from '@jest/globals';
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
  const follow = (...events: readonly ChainEvent[]) => {
    const chain = new FollowedChain();
    for (const each of events) chain.take(each);
    const wrong = chain.claims.filter(({ holds }) => !holds(tree));
    return { head: chain.head, problems: [...chain.problems, ...wrong.map(({ sentence }) => sentence)] };
  };

  it('ends with the newest block after a fork', () => {
    const onA = [head(1, '1', 1), head(3, '3a', 2)];
    const onB = [fork(1, '1', 3, '3a'), head(1, '1', 0), head(3, '3b', 2)];
    expect(follow(...onA, ...onB)).toEqual({ head: { height: 3, id: '3b' }, problems: [] });
  });

  it('starts over after a reset', () => {
    const events = [head(3, '3a', 1), event('reset', { commonHeight: 0 }), head(2, '2b', 1)];
    expect(follow(...events)).toEqual({ head: { height: 2, id: '2b' }, problems: [] });
  });

  it.each<[string, ChainEvent[], RegExp]>([
    ['a lost event', [head(1, '1', 1), head(3, '3a', 1)], /came 1 blocks after 1$/],
    ['an unannounced fork', [head(2, '2a', 1), head(3, '3b', 1)], /no fork was announced$/],
    [
      'a fork from a block that it does not know',
      [head(2, '2a', 1), fork(1, '1', 2, '2b')],
      /but the head was 2 2a$/,
    ],
    [
      'a fork to a block that it does not know',
      [head(1, '1', 0), head(2, '2a', 1), fork(1, 'z', 2, '2a')],
      /but block 1 was 1$/,
    ],
    ['a block of no branch', [head(3, 'z', 1)], /no branch has block z/],
    ['a decreasing id', [head(2, '2a', 1), { ...head(3, '3a', 1), id: '1' } as ChainEvent], /has id 1 after/],
    ['a wrong sum', [head(1, '1', 1, 4n)], /forged 4, which is not its reward and fees$/],
  ])('notices %s', (_what, events, problem) => {
    expect(follow(...events).problems).toContainEqual(expect.stringMatching(problem));
  });
});
