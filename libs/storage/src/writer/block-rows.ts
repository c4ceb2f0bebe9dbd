import { isEmpty, type BlockText, type TransactionText } from '@roundhouse/blocks';
import { NO_BLOCK_ID, type TransactionAsset } from '@roundhouse/chain';
import { assetColumn } from './asset-column.js';
import type { RowBytes } from './copy-binary.js';

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

export const addBlockRow = (rows: RowBytes, block: BlockText): void => {
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
  else rows.text(JSON.stringify(assetColumn(asset)));
};

export const addTransactionRow = (
  rows: RowBytes,
  { view, height }: BlockText,
  sequence: number,
  transaction: TransactionText,
): void => {
  const { recipientId, oddRecipient } = transaction;
  rows.beginRow(TRANSACTION_COLUMNS.length);
  rows.int4(height.value);
  rows.int4(sequence);
  rows.span(view, transaction.id);
  rows.int4(transaction.typeGroup);
  rows.int4(transaction.type.value);
  rows.span(view, transaction.senderPublicKey);
  if (oddRecipient !== null) rows.text(oddRecipient);
  else if (isEmpty(recipientId)) rows.null();
  else rows.span(view, recipientId);
  rows.amount(transaction.amount);
  rows.amount(transaction.fee);
  addAsset(rows, transaction.asset);
};
