import type { Transaction } from '@roundhouse/chain';
import { testPublicKey, unvaried } from './random-traffic.js';

/** A transfer of version 2 without a recipient, except for `change`. Its id and signature are not real. */
export const aTransaction = (change: Partial<Transaction> = {}): Transaction => ({
  ...unvaried,
  id: 'ab'.repeat(32),
  version: 2,
  type: 0,
  timestamp: null,
  nonce: 1n,
  senderPublicKey: testPublicKey(0, 1),
  fee: 0n,
  ...change,
});
