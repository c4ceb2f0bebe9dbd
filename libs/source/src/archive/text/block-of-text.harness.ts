import {
  amountOf,
  type Block,
  type BlockText,
  type Transaction,
  type TransactionText,
} from '@roundhouse/chain';

const transactionOf = (text: BlockText, transaction: TransactionText): Transaction => ({
  id: text.textOf(transaction.id),
  type: transaction.type.value,
  typeGroup: transaction.typeGroup,
  senderPublicKey: text.textOf(transaction.senderPublicKey),
  recipientId: text.textOf(transaction.recipientId) || null,
  amount: amountOf(transaction.amount),
  fee: amountOf(transaction.fee),
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
  totalAmount: amountOf(text.totalAmount),
  totalFee: amountOf(text.totalFee),
  reward: amountOf(text.reward),
  payloadLength: text.payloadLength.value,
  payloadHash: text.textOf(text.payloadHash),
  generatorPublicKey: text.textOf(text.generatorPublicKey),
  blockSignature: text.textOf(text.blockSignature),
  transactions: Array.from({ length: text.transactionCount }, (_, sequence) =>
    transactionOf(text, text.transaction(sequence)),
  ),
});
