import {
  areBytes,
  isEmpty,
  NONE,
  viewOf,
  type AmountText,
  type BlockText,
  type Span,
  type TransactionText,
} from '@roundhouse/blocks';
import { EMPTY_PAYLOAD_HASH } from '@roundhouse/chain';
import type { BlockEntity, Column, Table, TransactionEntity } from '@roundhouse/entities/tables';
import { assetColumn } from './asset-column.js';
import { RowBytes, type EncodedRows } from './copy-binary.js';

const EMPTY_HASH = viewOf(Buffer.from(EMPTY_PAYLOAD_HASH));

type Usual = Column['usual'];

/** An integer of a column whose usual value is stored as null. */
const addInt = (rows: RowBytes, value: number, usual: Usual): void =>
  value === usual ? rows.null() : rows.int4(value);

/** An amount whose usual value is 0. */
const addAmount = (rows: RowBytes, amount: AmountText): void =>
  amount.high === 0 && amount.low === 0 ? rows.null() : rows.amount(amount);

type BlockField = (rows: RowBytes, block: BlockText, usual: Usual) => void;

const BLOCK_FIELDS: Readonly<Record<keyof BlockEntity, BlockField>> = {
  height: (rows, { height }) => rows.int4(height.value),
  id: (rows, { bytes, id }) => rows.blockId(bytes, id),
  version: (rows, { version }) => rows.int4(version.value),
  timestamp: (rows, { timestamp }) => rows.int4(timestamp.value),
  numberOfTransactions: (rows, { numberOfTransactions }, usual) =>
    addInt(rows, numberOfTransactions.value, usual),
  totalAmount: (rows, { totalAmount }) => addAmount(rows, totalAmount),
  totalFee: (rows, { totalFee }) => addAmount(rows, totalFee),
  reward: (rows, { reward }) => rows.amount(reward),
  payloadLength: (rows, { payloadLength }, usual) => addInt(rows, payloadLength.value, usual),
  payloadHash: (rows, { bytes, view, payloadHash }) =>
    areBytes(view, payloadHash, EMPTY_HASH, 0) ? rows.null() : rows.hex(bytes, payloadHash),
  generator: (rows) => rows.number(),
  blockSignature: (rows, { bytes, blockSignature }) => rows.signature(bytes, blockSignature),
};

type TransactionField = (
  rows: RowBytes,
  transaction: TransactionText,
  block: BlockText,
  sequence: number,
  usual: Usual,
) => void;

const addSignature = (rows: RowBytes, bytes: Uint8Array, span: Span): void =>
  isEmpty(span) ? rows.null() : rows.signature(bytes, span);

const TRANSACTION_FIELDS: Readonly<Record<keyof TransactionEntity, TransactionField>> = {
  version: (rows, { version }, _, __, usual) => addInt(rows, version.value, usual),
  network: (rows, { network }) => (network.value === NONE ? rows.null() : rows.int2(network.value)),
  timestamp: (rows, { hasNonce, timestamp }) => (hasNonce ? rows.null() : rows.int4(timestamp.value)),
  nonce: (rows, { hasNonce, nonce }) => (hasNonce ? rows.amount(nonce) : rows.null()),
  expiration: (rows, { expiration }) =>
    expiration.value === 0 ? rows.null() : rows.amount({ high: 0, low: expiration.value }),
  vendorField: (rows, { vendorField, isVendorFieldHex }, { bytes, view }) => {
    if (isEmpty(vendorField)) rows.null();
    else if (isVendorFieldHex) rows.hex(bytes, vendorField);
    else rows.span(view, vendorField);
  },
  signature: (rows, { signature }, { bytes }) => addSignature(rows, bytes, signature),
  secondSignature: (rows, { secondSignature }, { bytes }) => addSignature(rows, bytes, secondSignature),
  signatures: (rows, { signatures }) => (signatures === null ? rows.null() : rows.hexes(signatures)),
  blockHeight: (rows, _, { height }) => rows.int4(height.value),
  sequence: (rows, _, __, sequence) => rows.int4(sequence),
  id: (rows, { id }, { bytes }) => rows.hex(bytes, id),
  typeGroup: (rows, { typeGroup }) => rows.int4(typeGroup.value),
  type: (rows, { type }) => rows.int4(type.value),
  sender: (rows) => rows.number(),
  recipient: (rows, { recipientId, oddRecipient }) =>
    oddRecipient === null && isEmpty(recipientId) ? rows.null() : rows.number(),
  amount: (rows, { amount }) => rows.amount(amount),
  fee: (rows, { fee }) => rows.amount(fee),
  asset: (rows, { asset }) => (asset === null ? rows.null() : rows.text(JSON.stringify(assetColumn(asset)))),
};

/** What adds each value, in the order of the table's columns. */
const inOrder = <Row extends object, Field>(
  { columns }: Table<Row>,
  fields: Readonly<Record<keyof Row, Field>>,
): { add: Field; usual: Usual }[] =>
  columns.map(({ property, usual }) => ({ add: fields[property as keyof Row], usual }));

/** Plain data: a thread does not load the entities, because TypeORM takes longer than the rest of its start. */
export interface RowTables {
  readonly blocks: Table<BlockEntity>;
  readonly transactions: Table<TransactionEntity>;
}

export const rowFields = ({ blocks, transactions }: RowTables) => ({
  blocks: inOrder(blocks, BLOCK_FIELDS),
  transactions: inOrder(transactions, TRANSACTION_FIELDS),
});

export type RowFields = ReturnType<typeof rowFields>;

export interface RowSizes {
  readonly blockBytes: number;
  readonly transactionBytes: number;
}

/**
 * Encodes the rows of blocks, one after the other, directly into bytes; keeps no text of a block. The writer fills in the
 * numbers of keys and addresses.
 */
export class RowsEncoder {
  private readonly blocks: RowBytes;
  private readonly transactions: RowBytes;

  /** Reserves memory for this many bytes of rows of each table. */
  constructor(
    private readonly fields: RowFields,
    { blockBytes, transactionBytes }: RowSizes = { blockBytes: 0, transactionBytes: 0 },
  ) {
    this.blocks = new RowBytes(blockBytes);
    this.transactions = new RowBytes(transactionBytes);
  }

  add(block: BlockText): void {
    const { fields } = this;
    this.blocks.beginRow(fields.blocks.length);
    for (const { add, usual } of fields.blocks) add(this.blocks, block, usual);
    for (let sequence = 0; sequence < block.transactionCount; sequence += 1) {
      const transaction = block.transaction(sequence);
      this.transactions.beginRow(fields.transactions.length);
      for (const { add, usual } of fields.transactions)
        add(this.transactions, transaction, block, sequence, usual);
    }
    this.blocks.endBlock();
    this.transactions.endBlock();
  }

  blockRows(): EncodedRows {
    return this.blocks.finish();
  }

  transactionRows(): EncodedRows {
    return this.transactions.finish();
  }
}
