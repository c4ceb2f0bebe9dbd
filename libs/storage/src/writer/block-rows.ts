import type { Block, Transaction } from '@roundhouse/chain';
import { assetRecord } from '../staging/asset-record.js';
import { copyField } from './copy-text.js';

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

// Ids, hashes and keys are digits and hexadecimal text: nothing in them needs an escape.
export const blockLine = (block: Block): string =>
  `${block.height}\t${block.id}\t${block.version}\t${block.timestamp}\t${block.previousBlock}\t` +
  `${block.numberOfTransactions}\t${block.totalAmount}\t${block.totalFee}\t${block.reward}\t` +
  `${block.payloadLength}\t${block.payloadHash}\t${block.generatorPublicKey}\t${block.blockSignature}\n`;

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
  'asset',
] as const;

export const transactionLine = (height: number, sequence: number, transaction: Transaction): string => {
  const { id, typeGroup, type, senderPublicKey, recipientId, amount, fee, asset } = transaction;
  const assetText = asset === null ? null : JSON.stringify(assetRecord(asset));
  return (
    `${height}\t${sequence}\t${id}\t${typeGroup}\t${type}\t${senderPublicKey}\t` +
    `${copyField(recipientId)}\t${amount}\t${fee}\t${copyField(assetText)}\n`
  );
};
