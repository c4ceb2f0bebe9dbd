import type { Block, Transaction } from '@roundhouse/chain';
import { bigintOf, NONE, type BlockText, type TransactionText } from './block-text.js';

const transactionOf = (text: BlockText, transaction: TransactionText): Transaction => ({
  id: text.textOf(transaction.id),
  version: transaction.version.value,
  network: transaction.network.value === NONE ? null : transaction.network.value,
  type: transaction.type.value,
  typeGroup: transaction.typeGroup.value,
  timestamp: transaction.hasNonce ? null : transaction.timestamp.value,
  nonce: transaction.hasNonce ? bigintOf(transaction.nonce) : null,
  senderPublicKey: text.textOf(transaction.senderPublicKey),
  recipientId: transaction.oddRecipient ?? (text.textOf(transaction.recipientId) || null),
  amount: bigintOf(transaction.amount),
  fee: bigintOf(transaction.fee),
  expiration: transaction.expiration.value,
  vendorField: text.vendorFieldOf(transaction),
  asset: transaction.asset,
  signature: text.textOf(transaction.signature) || null,
  secondSignature: text.textOf(transaction.secondSignature) || null,
  signatures: transaction.signatures,
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
