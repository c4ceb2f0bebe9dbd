import { describe, expect, it } from '@jest/globals';
import { aDelegate } from '../status/status.harness.js';
import { DEFAULT_ORDER, type Column } from '../page/location.js';
import { listDelegates, nextOrder, sortDelegates } from './list-delegates.js';

const delegates = [
  aDelegate(1, { username: 'Bob', producedblocks: 99, missedblocks: 1, forged: 5n }),
  aDelegate(2, { username: 'alice', producedblocks: 1, missedblocks: 0, forged: 2n ** 60n + 1n }),
  aDelegate(3, { username: 'carol_b', producedblocks: 0, missedblocks: 0, forged: 2n ** 60n }),
];

const ranks = (column: Column, direction: 'asc' | 'desc'): number[] =>
  sortDelegates(delegates, { column, direction }).map(({ rank }) => rank);

describe('the list of delegates', () => {
  it.each<[Column, number[], number[]]>([
    ['rank', [1, 2, 3], [3, 2, 1]],
    ['username', [1, 2, 3], [3, 2, 1]],
    ['vote', [3, 2, 1], [1, 2, 3]],
    ['producedblocks', [3, 2, 1], [1, 2, 3]],
    ['missedblocks', [2, 3, 1], [1, 2, 3]],
    ['productivity', [3, 1, 2], [2, 1, 3]],
    ['forged', [1, 3, 2], [2, 3, 1]],
  ])('is sorted by %s, ties by public key', (column, ascending, descending) => {
    expect([ranks(column, 'asc'), ranks(column, 'desc')]).toEqual([ascending, descending]);
  });

  it('finds names that contain a text, ignoring the case of ASCII letters', () => {
    const { shown } = listDelegates(delegates, { search: 'B', order: DEFAULT_ORDER, isWhole: false });
    expect(shown.map(({ username }) => username)).toEqual(['Bob', 'carol_b']);
  });

  it('searches for plain text, not for a pattern', () => {
    const found = (search: string) =>
      listDelegates(delegates, { search, order: DEFAULT_ORDER, isWhole: false }).found;
    expect([found('.*'), found('_'), found('')]).toEqual([0, 1, 3]);
  });

  it('is short until all delegates are requested', () => {
    const many = Array.from({ length: 250 }, (_, index) => aDelegate(index + 1));
    const listed = (isWhole: boolean) => listDelegates(many, { search: '', order: DEFAULT_ORDER, isWhole });
    expect([listed(false).shown.length, listed(false).found, listed(true).shown.length]).toEqual([
      100, 250, 250,
    ]);
  });

  it('reverses at the second press on a header, and figures start with the largest', () => {
    const first = nextOrder(DEFAULT_ORDER, 'vote');
    expect([first, nextOrder(first, 'vote'), nextOrder(first, 'username')]).toEqual([
      { column: 'vote', direction: 'desc' },
      { column: 'vote', direction: 'asc' },
      { column: 'username', direction: 'asc' },
    ]);
  });
});
