import { expect, it } from '@jest/globals';
import { DEFAULT_ORDER } from '../page/parameters.js';
import { nextOrder } from './next-order.js';

it('the order reverses at the second press on a header, and figures start with the largest', () => {
  const first = nextOrder(DEFAULT_ORDER, 'vote');
  expect([first, nextOrder(first, 'vote'), nextOrder(first, 'username')]).toEqual([
    { column: 'vote', direction: 'desc' },
    { column: 'vote', direction: 'asc' },
    { column: 'username', direction: 'asc' },
  ]);
});
