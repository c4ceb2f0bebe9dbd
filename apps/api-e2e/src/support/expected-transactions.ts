import { rawTransaction } from '@roundhouse/blocks';
import { addressOf, type Block, type Network, type Transaction } from '@roundhouse/chain';

/** A transaction with its place, as a plain reading of the chain finds it. */
export interface PlacedTransaction {
  readonly block: Block;
  readonly sequence: number;
  readonly transaction: Transaction;
  readonly senderId: string;
}

/** All transactions, the newest first. */
export const placedTransactions = (blocks: readonly Block[], { pubKeyHash }: Network): PlacedTransaction[] =>
  blocks
    .flatMap((block) =>
      block.transactions.map((transaction, sequence) => ({
        block,
        sequence,
        transaction,
        senderId: addressOf(transaction.senderPublicKey, pubKeyHash),
      })),
    )
    .reverse();

/** The answer's object, with amounts as bigint. */
export const expectedTransaction = (
  { block, sequence, transaction, senderId }: PlacedTransaction,
  head: number,
) => ({
  id: transaction.id,
  blockId: block.id,
  height: block.height,
  sequence,
  blockTimestamp: block.timestamp,
  confirmations: head - block.height,
  version: transaction.version,
  network: transaction.network,
  typeGroup: transaction.typeGroup,
  type: transaction.type,
  timestamp: transaction.timestamp,
  nonce: transaction.nonce === null ? null : Number(transaction.nonce),
  senderPublicKey: transaction.senderPublicKey,
  senderId,
  recipientId: transaction.recipientId,
  amount: transaction.amount,
  fee: transaction.fee,
  expiration: transaction.expiration === 0 ? null : transaction.expiration,
  vendorField:
    transaction.vendorField === null ? null : Buffer.from(transaction.vendorField, 'hex').toString('utf8'),
  vendorFieldHex: transaction.vendorField,
  asset: rawTransaction(transaction).asset ?? null,
  signature: transaction.signature,
  secondSignature: transaction.secondSignature,
  signatures: transaction.signatures,
});
