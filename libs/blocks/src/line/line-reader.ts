import { CORE_TYPE_GROUP } from '@roundhouse/chain';
import { decodeAsset, TYPES_WITH_ASSET } from '../fields/asset.js';
import { BlockText, CountText, isEmpty, TransactionText } from '../text/block-text.js';
import { FieldTable } from './field-table.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, JsonCursor, OPEN_LIST, OPEN_OBJECT } from './json-cursor.js';
import {
  readAmount,
  readBlockId,
  readCount,
  readHash,
  readHex,
  readOddText,
  readPlain,
  readPublicKey,
} from './plain-fields.js';

const BLOCK = new FieldTable<LineReader>({
  height: ({ cursor, block }) => readCount(cursor, block.height),
  id: ({ cursor, block }) => readBlockId(cursor, block.id),
  version: ({ cursor, block }) => readCount(cursor, block.version),
  timestamp: ({ cursor, block }) => readCount(cursor, block.timestamp),
  previousBlock: (reader) => reader.readPreviousBlock(),
  numberOfTransactions: ({ cursor, block }) => readCount(cursor, block.numberOfTransactions),
  totalAmount: ({ cursor, block }) => readAmount(cursor, block.totalAmount),
  totalFee: ({ cursor, block }) => readAmount(cursor, block.totalFee),
  reward: ({ cursor, block }) => readAmount(cursor, block.reward),
  payloadLength: ({ cursor, block }) => readCount(cursor, block.payloadLength),
  payloadHash: ({ cursor, block }) => readHash(cursor, block.payloadHash),
  generatorPublicKey: ({ cursor, block }) => readPublicKey(cursor, block.generatorPublicKey),
  blockSignature: ({ cursor, block }) => readHex(cursor, block.blockSignature),
  transactions: (reader) => reader.readTransactions(),
});

const TRANSACTION = new FieldTable<LineReader>(
  {
    id: ({ cursor, transaction }) => readHash(cursor, transaction.id),
    type: ({ cursor, transaction }) => readCount(cursor, transaction.type),
    senderPublicKey: ({ cursor, transaction }) => readPublicKey(cursor, transaction.senderPublicKey),
    amount: ({ cursor, transaction }) => readAmount(cursor, transaction.amount),
    fee: ({ cursor, transaction }) => readAmount(cursor, transaction.fee),
  },
  {
    typeGroup: (reader) => reader.readTypeGroup(),
    recipientId: (reader) => reader.readRecipient(),
    asset: (reader) => reader.readAsset(),
  },
);

/**
 * Reads an archive line straight from its bytes. It accepts every line that `archiveLine` writes, and other lines in
 * the same plain form, which is also that of the tables. It makes no objects for texts and amounts.
 */
export class LineReader {
  readonly cursor = new JsonCursor();
  block = new BlockText();
  transaction = new TransactionText();
  private readonly typeGroup = new CountText();
  private asset: unknown = null;

  /**
   * Fills `block` with the line between two offsets. False if the line is malformed or not in plain form: then `block`
   * is not valid.
   */
  read(bytes: Buffer, start: number, end: number, block: BlockText): boolean {
    const { cursor } = this;
    this.block = block;
    block.hold(bytes);
    cursor.open(bytes, start, end);
    const isWhole = this.readObject(BLOCK) && cursor.isAtEnd && block.height.value > 0;
    return isWhole && (block.height.value === 1 || !isEmpty(block.previousBlock));
  }

  /** The genesis block may have null here. */
  readPreviousBlock(): boolean {
    const { cursor, block } = this;
    const { previousBlock } = block;
    previousBlock.start = previousBlock.end = 0;
    return cursor.readNull() || readBlockId(cursor, previousBlock);
  }

  readTransactions(): boolean {
    const { cursor, block } = this;
    block.transactionCount = 0;
    if (!cursor.passes(OPEN_LIST)) return false;
    if (cursor.passes(CLOSE_LIST)) return true;
    do {
      this.transaction = block.transaction(block.transactionCount);
      if (!this.readTransaction()) return false;
      block.transactionCount += 1;
    } while (cursor.passes(COMMA));
    return cursor.passes(CLOSE_LIST);
  }

  readRecipient(): boolean {
    const { cursor, transaction } = this;
    if (cursor.readNull() || readPlain(cursor, transaction.recipientId)) return true;
    transaction.oddRecipient = readOddText(cursor);
    return transaction.oddRecipient !== null;
  }

  readTypeGroup(): boolean {
    const { cursor, transaction, typeGroup } = this;
    if (cursor.readNull()) return true;
    if (!readCount(cursor, typeGroup)) return false;
    transaction.typeGroup = typeGroup.value;
    return true;
  }

  /** The asset is decoded when the type is known, too. */
  readAsset(): boolean {
    const { cursor } = this;
    if (cursor.readNull()) return true;
    this.asset = cursor.readParsed();
    return this.asset !== undefined;
  }

  private readTransaction(): boolean {
    const { transaction } = this;
    const { recipientId } = transaction;
    transaction.typeGroup = CORE_TYPE_GROUP;
    recipientId.start = recipientId.end = 0;
    transaction.oddRecipient = null;
    transaction.asset = null;
    this.asset = null;
    return this.readObject(TRANSACTION) && this.decodeAsset(transaction);
  }

  private decodeAsset(transaction: TransactionText): boolean {
    const { typeGroup } = transaction;
    const type = transaction.type.value;
    if (!TYPES_WITH_ASSET.includes(type)) return true;
    try {
      transaction.asset = decodeAsset({ asset: this.asset }, typeGroup, type);
      return true;
    } catch {
      return false;
    }
  }

  private readObject(fields: FieldTable<LineReader>): boolean {
    const { cursor } = this;
    const { bytes } = this.block;
    let seen = 0;
    if (!cursor.passes(OPEN_OBJECT)) return false;
    do {
      if (!cursor.readText()) return false;
      const field = fields.find(bytes, cursor.start, cursor.stop);
      if (!cursor.passes(COLON)) return false;
      if (field === undefined) {
        if (!cursor.readAny()) return false;
        continue;
      }
      // Elsewhere in JSON the last of two equal keys counts; here the line is refused.
      if ((seen & field.bit) !== 0 || !field.read(this)) return false;
      seen |= field.bit;
    } while (cursor.passes(COMMA));
    return (seen & fields.required) === fields.required && cursor.passes(CLOSE_OBJECT);
  }
}
