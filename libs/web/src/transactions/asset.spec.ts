import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@roundhouse/client';
import { parseAnswer } from '../status/parse-answer.js';
import { lockOf, movedBy, paymentsOf, votesOf } from './asset.js';

/** As the API answers it. */
const aTransaction = (asset: object, typeGroup = 1): Transaction =>
  parseAnswer(JSON.stringify({ typeGroup, senderId: 'A', amount: 0, asset }));

const payments = [
  { amount: '9007199254740993', recipientId: 'B' },
  { amount: '5', recipientId: 'C' },
  { amount: '7', recipientId: 'B' },
];

describe('what an asset says', () => {
  it('has payments with every digit', () => {
    expect(paymentsOf(aTransaction({ payments }))).toEqual([
      { amount: 9_007_199_254_740_993n, recipientId: 'B' },
      { amount: 5n, recipientId: 'C' },
      { amount: 7n, recipientId: 'B' },
    ]);
    expect(paymentsOf(aTransaction({ votes: ['+02'] }))).toEqual([]);
  });

  it('is understood only of types of Core', () => {
    const other = aTransaction({ payments: 'x', votes: 1, claim: [] }, 2);
    expect([paymentsOf(other), votesOf(other), lockOf(other)]).toEqual([[], [], null]);
  });

  it('names votes and locks', () => {
    expect(votesOf(aTransaction({ votes: ['-02', '+03'] }))).toEqual(['-02', '+03']);
    expect(lockOf(aTransaction({ claim: { lockTransactionId: 'ab', unlockSecret: 'cd' } }))).toBe('ab');
    expect(lockOf(aTransaction({ refund: { lockTransactionId: 'ef' } }))).toBe('ef');
    expect(lockOf(aTransaction({ payments }))).toBeNull();
  });
});

describe('what a transaction moves', () => {
  it('is all of a multi-payment, and for one who was paid what he got', () => {
    const paid = aTransaction({ payments });
    expect(movedBy(paid)).toBe(9_007_199_254_741_005n);
    expect(movedBy(paid, 'A')).toBe(9_007_199_254_741_005n);
    expect(movedBy(paid, 'B')).toBe(9_007_199_254_741_000n);
    expect(movedBy(paid, 'C')).toBe(5n);
  });

  it('is its amount otherwise', () =>
    expect(movedBy({ ...aTransaction({}), amount: 3n, asset: null }, 'B')).toBe(3n));
});
