import type { Block } from '@roundhouse/chain';
import { copyLine } from './copy-text.js';

export const BLOCK_COLUMNS = [
  'height',
  'id',
  'version',
  '"timestamp"',
  'previous_block',
  'number_of_transactions',
  'total_amount',
  'total_fee',
  'reward',
  'payload_length',
  'payload_hash',
  'generator_public_key',
  'block_signature',
] as const;

export function* blockLines(blocks: Iterable<Block>): Generator<string, void> {
  for (const block of blocks) {
    yield copyLine([
      block.height,
      block.id,
      block.version,
      block.timestamp,
      block.previousBlock,
      block.numberOfTransactions,
      block.totalAmount,
      block.totalFee,
      block.reward,
      block.payloadLength,
      block.payloadHash,
      block.generatorPublicKey,
      block.blockSignature,
    ]);
  }
}

export const TRANSACTION_COLUMNS = [
  'block_height',
  'sequence',
  'id',
  'type_group',
  'type',
  'sender_public_key',
  'recipient_id',
  'amount',
  'fee',
] as const;

export function* transactionLines(blocks: Iterable<Block>): Generator<string, void> {
  for (const { height, transactions } of blocks) {
    for (const [sequence, transaction] of transactions.entries()) {
      const { id, typeGroup, type, senderPublicKey, recipientId, amount, fee } = transaction;
      yield copyLine([height, sequence, id, typeGroup, type, senderPublicKey, recipientId, amount, fee]);
    }
  }
}
