import { addressOf, TransactionType } from '@roundhouse/chain';
import { ReadyJson } from '@roundhouse/dto';
import type { ShownTransaction } from '@roundhouse/dto/core-v1';
import type { NodeTransactionRow } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-view.js';

/** A transaction as a node showed it; what it does not have is absent. */
export const shownTransaction = (
  transaction: NodeTransactionRow,
  { head, network }: ChainView,
): ShownTransaction => {
  const { version, type, recipientId, senderPublicKey, vendorField, signatures } = transaction;
  const senderId = addressOf(senderPublicKey, network.pubKeyHash);
  // The node knew only the fields of version 1. It gave its votes the sender as their recipient.
  const isOfVersion1 = version === 1;
  const ownRecipient = isOfVersion1 && type === TransactionType.Vote ? senderId : undefined;
  return {
    id: transaction.id,
    blockid: transaction.blockId,
    type,
    timestamp: transaction.timestamp,
    amount: transaction.amount,
    fee: transaction.fee,
    recipientId: recipientId ?? ownRecipient,
    senderId,
    senderPublicKey,
    vendorField: (isOfVersion1 && vendorField?.toString()) || undefined,
    signature: transaction.signature ?? undefined,
    signSignature: transaction.secondSignature ?? undefined,
    signatures: signatures.length > 0 ? signatures : undefined,
    asset: new ReadyJson(transaction.asset ?? '{}'),
    confirmations: head.height - transaction.height,
  };
};
