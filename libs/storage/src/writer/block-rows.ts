import {
  isEmpty,
  NO_BLOCK_ID,
  type Block,
  type BlockText,
  type Transaction,
  type TransactionAsset,
  type TransactionText,
} from '@roundhouse/chain';
import { assetRecord } from '../staging/asset-record.js';
import type { RowBytes } from './copy-binary.js';

// Of a block and of its text the rows are the same.

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

export const addBlockRow = (rows: RowBytes, block: Block): void => {
  rows.beginRow(BLOCK_COLUMNS.length);
  rows.int4(block.height);
  rows.text(block.id);
  rows.int4(block.version);
  rows.int4(block.timestamp);
  rows.text(block.previousBlock);
  rows.int4(block.numberOfTransactions);
  rows.int8(block.totalAmount);
  rows.int8(block.totalFee);
  rows.int8(block.reward);
  rows.int4(block.payloadLength);
  rows.text(block.payloadHash);
  rows.text(block.generatorPublicKey);
  rows.text(block.blockSignature);
};

export const addBlockTextRow = (rows: RowBytes, block: BlockText): void => {
  const { view } = block;
  rows.beginRow(BLOCK_COLUMNS.length);
  rows.int4(block.height.value);
  rows.span(view, block.id);
  rows.int4(block.version.value);
  rows.int4(block.timestamp.value);
  if (isEmpty(block.previousBlock)) rows.text(NO_BLOCK_ID);
  else rows.span(view, block.previousBlock);
  rows.int4(block.numberOfTransactions.value);
  rows.amount(block.totalAmount);
  rows.amount(block.totalFee);
  rows.amount(block.reward);
  rows.int4(block.payloadLength.value);
  rows.span(view, block.payloadHash);
  rows.span(view, block.generatorPublicKey);
  rows.span(view, block.blockSignature);
};

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

const addAsset = (rows: RowBytes, asset: TransactionAsset | null): void => {
  if (asset === null) rows.null();
  else rows.text(JSON.stringify(assetRecord(asset)));
};

export const addTransactionRow = (
  rows: RowBytes,
  height: number,
  sequence: number,
  transaction: Transaction,
): void => {
  const { recipientId } = transaction;
  rows.beginRow(TRANSACTION_COLUMNS.length);
  rows.int4(height);
  rows.int4(sequence);
  rows.text(transaction.id);
  rows.int4(transaction.typeGroup);
  rows.int4(transaction.type);
  rows.text(transaction.senderPublicKey);
  if (recipientId === null) rows.null();
  else rows.text(recipientId);
  rows.int8(transaction.amount);
  rows.int8(transaction.fee);
  addAsset(rows, transaction.asset);
};

export const addTransactionTextRow = (
  rows: RowBytes,
  { view, height }: BlockText,
  sequence: number,
  transaction: TransactionText,
): void => {
  const { recipientId } = transaction;
  rows.beginRow(TRANSACTION_COLUMNS.length);
  rows.int4(height.value);
  rows.int4(sequence);
  rows.span(view, transaction.id);
  rows.int4(transaction.typeGroup);
  rows.int4(transaction.type.value);
  rows.span(view, transaction.senderPublicKey);
  if (isEmpty(recipientId)) rows.null();
  else rows.span(view, recipientId);
  rows.amount(transaction.amount);
  rows.amount(transaction.fee);
  addAsset(rows, transaction.asset);
};
