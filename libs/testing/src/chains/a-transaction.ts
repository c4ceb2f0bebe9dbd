import type { Transaction } from '@roundhouse/chain';

/** A transfer of version 2 without a recipient, except for `change`. Its id, key and signature are not real. */
export const aTransaction = (change: Partial<Transaction> = {}): Transaction => ({
  id: 'ab'.repeat(32),
  version: 2,
  network: null,
  typeGroup: 1,
  type: 0,
  timestamp: null,
  nonce: 1n,
  senderPublicKey: `02${'ef'.repeat(32)}`,
  recipientId: null,
  amount: 0n,
  fee: 0n,
  expiration: 0,
  vendorField: null,
  asset: null,
  signature: 'ab'.repeat(64),
  secondSignature: null,
  signatures: null,
  ...change,
});
