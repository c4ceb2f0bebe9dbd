import { addressOf } from '../accounts/address.js';
import { sha256 } from '../crypto/crypto.js';
import { TransactionType, type Transaction } from '../transactions/transaction.js';

export const PUB_KEY_HASH = 23;

export const keyOf = (name: string): string => `02${sha256(name).toString('hex')}`;
export const addressFor = (name: string): string => addressOf(keyOf(name), PUB_KEY_HASH);

/** A transaction that the named account sends. */
export type Draft = Partial<Omit<Transaction, 'id' | 'senderPublicKey'>> & { readonly from: string };

export const pay = (from: string, to: string, amount: bigint): Draft => ({
  from,
  amount,
  recipientId: addressFor(to),
});

/** Each vote is a name with its sign. */
export const vote = (from: string, ...names: string[]): Draft => {
  const votes = names.map((name) => `${name[0]!}${keyOf(name.slice(1))}`);
  return { from, type: TransactionType.Vote, asset: { votes } };
};

export const register = (from: string, username = from): Draft => ({
  from,
  type: TransactionType.DelegateRegistration,
  asset: { username },
});

export const resign = (from: string): Draft => ({ from, type: TransactionType.DelegateResignation });

export const lock = (from: string, to: string, amount: bigint): Draft => ({
  ...pay(from, to, amount),
  type: TransactionType.HtlcLock,
  asset: { lock: { secretHash: sha256('secret').toString('hex'), expiration: { type: 2, value: 1_000 } } },
});

export const claim = (from: string, lockTransactionId: string): Draft => ({
  from,
  fee: 0n,
  type: TransactionType.HtlcClaim,
  asset: { lockTransactionId },
});

export const refund = (from: string, lockTransactionId: string): Draft => ({
  from,
  fee: 0n,
  type: TransactionType.HtlcRefund,
  asset: { lockTransactionId },
});
