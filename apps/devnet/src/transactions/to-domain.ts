import type { Transaction, TransactionAsset } from '@roundhouse/chain';
import type { RawAsset, RawTransaction } from './raw-transaction.js';

const assetOf = (asset: RawAsset | undefined): TransactionAsset | null => {
  if (asset === undefined) return null;
  if (asset.delegate) return { username: asset.delegate.username };
  if (asset.votes) return { votes: asset.votes };
  if (asset.payments) {
    const payments = asset.payments.map(({ recipientId, amount }) => ({
      recipientId,
      amount: BigInt(amount),
    }));
    return { payments };
  }
  const lockTransactionId = asset.claim?.lockTransactionId ?? asset.refund?.lockTransactionId;
  return lockTransactionId === undefined ? null : { lockTransactionId };
};

export const toTransaction = (raw: RawTransaction): Transaction => ({
  id: raw.id,
  type: raw.type,
  typeGroup: raw.typeGroup,
  senderPublicKey: raw.senderPublicKey,
  recipientId: raw.recipientId ?? null,
  amount: BigInt(raw.amount),
  fee: BigInt(raw.fee),
  asset: assetOf(raw.asset),
});
