import type { Transaction } from '@roundhouse/client';

/** One of the payments in a multi-payment. */
export interface Payment {
  readonly recipientId: string;
  /** In arktoshi. */
  readonly amount: bigint;
}

type Asset = Pick<Transaction, 'asset' | 'typeGroup'>;

/** A part of the asset of a type of Core. Other groups may use the same names for something else. */
const partOf = ({ asset, typeGroup }: Asset, name: string): unknown =>
  typeGroup === 1 ? asset?.[name] : undefined;

interface PaymentJson {
  readonly recipientId: string;
  readonly amount: string | bigint;
}

/** The payments of a multi-payment, in their order; none in other transactions. */
export const paymentsOf = (transaction: Asset): readonly Payment[] =>
  ((partOf(transaction, 'payments') ?? []) as readonly PaymentJson[]).map(({ recipientId, amount }) => ({
    recipientId,
    amount: BigInt(amount),
  }));

/** The public keys that a vote names, each after `+` or `-`. */
export const votesOf = (transaction: Asset): readonly string[] =>
  (partOf(transaction, 'votes') ?? []) as readonly string[];

/** The lock that a claim or a refund closes; null in other transactions. */
export const lockOf = (transaction: Asset): string | null => {
  const closing = (partOf(transaction, 'claim') ?? partOf(transaction, 'refund')) as
    { readonly lockTransactionId: string } | undefined;
  return closing?.lockTransactionId ?? null;
};

/**
 * What a transaction moves, in arktoshi: the sum of a multi-payment.
 * @param account the address whose payments alone count, unless it sent them
 */
export const movedBy = (transaction: Transaction, account?: string): bigint => {
  const payments = paymentsOf(transaction);
  if (payments.length === 0) return transaction.amount;
  const isForAll = account === undefined || account === transaction.senderId;
  return payments.reduce(
    (sum, { recipientId, amount }) => (isForAll || recipientId === account ? sum + amount : sum),
    0n,
  );
};
