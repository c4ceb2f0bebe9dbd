import type { Block, Transaction } from '@roundhouse/chain';
import { bigintOf, type BlockText, type TransactionText } from './block-text.js';

const transactionOf = (text: BlockText, transaction: TransactionText): Transaction => ({
  id: text.textOf(transaction.id),
  type: transaction.type.value,
  typeGroup: transaction.typeGroup,
  senderPublicKey: text.textOf(transaction.senderPublicKey),
  recipientId: transaction.oddRecipient ?? (text.textOf(transaction.recipientId) || null),
  amount: bigintOf(transaction.amount),
  fee: bigintOf(transaction.fee),
  asset: transaction.asset,
});

/** The block that a text holds. */
export const blockOfText = (text: BlockText): Block => ({
  height: text.height.value,
  id: text.textOf(text.id),
  version: text.version.value,
  timestamp: text.timestamp.value,
  previousBlock: text.previousId,
  numberOfTransactions: text.numberOfTransactions.value,
  totalAmount: bigintOf(text.totalAmount),
  totalFee: bigintOf(text.totalFee),
  reward: bigintOf(text.reward),
  payloadLength: text.payloadLength.value,
  payloadHash: text.textOf(text.payloadHash),
  generatorPublicKey: text.textOf(text.generatorPublicKey),
  blockSignature: text.textOf(text.blockSignature),
  transactions: Array.from({ length: text.transactionCount }, (_, sequence) =>
    transactionOf(text, text.transaction(sequence)),
  ),
});
