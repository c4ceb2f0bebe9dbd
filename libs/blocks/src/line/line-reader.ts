import { CORE_TYPE_GROUP, FIRST_CHANGED_NUMBER, mayExpire, typeOfOldNumber } from '@roundhouse/chain';
import { decodeAsset, hasNoAsset } from '../fields/asset.js';
import { isNoBlockId } from '../fields/fields.js';
import { signaturesOf } from '../fields/signatures.js';
import { BlockText, isEmpty, NONE, TransactionText, type Span } from '../text/block-text.js';
import {
  FieldTable,
  readAmount,
  readBlockId,
  readByte,
  readCount,
  readHash,
  readHex,
  readOddText,
  readPlain,
  readPublicKey,
  readUint32,
  readVendorHex,
  readVendorText,
} from './plain-fields.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, JsonCursor, OPEN_LIST, OPEN_OBJECT } from './json-cursor.js';

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
    version: ({ cursor, transaction }) => cursor.readNull() || readCount(cursor, transaction.version),
    network: ({ cursor, transaction }) => cursor.readNull() || readByte(cursor, transaction.network),
    typeGroup: ({ cursor, transaction }) => cursor.readNull() || readCount(cursor, transaction.typeGroup),
    timestamp: ({ cursor, transaction }) => cursor.readNull() || readCount(cursor, transaction.timestamp),
    nonce: (reader) => reader.readNonce(),
    recipientId: (reader) => reader.readRecipient(),
    expiration: ({ cursor, transaction }) => cursor.readNull() || readUint32(cursor, transaction.expiration),
    vendorField: (reader) => reader.readVendorField(),
    vendorFieldHex: (reader) => reader.readVendorFieldHex(),
    asset: (reader) => reader.readAsset(),
    signature: ({ cursor, transaction }) => cursor.readNull() || readHex(cursor, transaction.signature),
    secondSignature: (reader) => reader.readSecondSignature(),
    signSignature: (reader) => reader.readSecondSignature(),
    signatures: (reader) => reader.readSignatures(),
  },
);

const empty = (span: Span): void => {
  span.start = span.end = 0;
};

/**
 * Reads an archive line straight from its bytes. It accepts every line that `archiveLine` writes, and other lines in
 * the same plain form. Rows of the tables hold values in this form, too. It makes no objects for texts and amounts.
 */
export class LineReader {
  readonly cursor = new JsonCursor();
  block = new BlockText();
  transaction = new TransactionText();
  private asset: unknown = null;
  private signatures: unknown = null;
  /** Whether the vendor field has escapes, which the reader does not resolve. */
  private needsVendorHex = false;

  /**
   * Fills `block` with the line between two offsets. False if the line is malformed or not in plain form: then `block`
   * is not valid.
   */
  read(bytes: Buffer, start: number, end: number, block: BlockText): boolean {
    const { cursor } = this;
    this.block = block;
    block.hold(bytes);
    cursor.open(bytes, start, end);
    if (!(this.readObject(BLOCK) && cursor.isAtEnd && block.height.value > 0)) return false;
    if (block.height.value > 1) return !isEmpty(block.previousBlock);
    if (isNoBlockId(block.textOf(block.previousBlock))) empty(block.previousBlock);
    return true;
  }

  /** The genesis block has null here, or zeros. */
  readPreviousBlock(): boolean {
    const { cursor, block } = this;
    const { previousBlock } = block;
    empty(previousBlock);
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

  readNonce(): boolean {
    const { cursor, transaction } = this;
    if (cursor.readNull()) return true;
    transaction.hasNonce = true;
    return readAmount(cursor, transaction.nonce);
  }

  readSecondSignature(): boolean {
    const { cursor, transaction } = this;
    if (cursor.readNull()) return true;
    return isEmpty(transaction.secondSignature) && readHex(cursor, transaction.secondSignature);
  }

  /** If a source also gives `vendorFieldHex`, that counts: it can hold bytes that are not UTF-8. */
  readVendorField(): boolean {
    const { cursor, transaction } = this;
    if (cursor.readNull()) return true;
    if (!transaction.isVendorFieldHex && readVendorText(cursor, transaction.vendorField)) return true;
    this.needsVendorHex = !transaction.isVendorFieldHex;
    return typeof cursor.readParsed() === 'string';
  }

  readVendorFieldHex(): boolean {
    const { cursor, transaction } = this;
    if (cursor.readNull()) return true;
    transaction.isVendorFieldHex = true;
    return readVendorHex(cursor, transaction.vendorField);
  }

  readSignatures(): boolean {
    const { cursor } = this;
    if (cursor.readNull()) return true;
    this.signatures = cursor.readParsed();
    return this.signatures !== undefined;
  }

  /** Only parses the asset. It is decoded later, when the type is known. */
  readAsset(): boolean {
    const { cursor } = this;
    if (cursor.readNull()) return true;
    this.asset = cursor.readParsed();
    return this.asset !== undefined;
  }

  private readTransaction(): boolean {
    const { transaction } = this;
    transaction.version.value = 1;
    transaction.network.value = NONE;
    transaction.typeGroup.value = NONE;
    transaction.timestamp.value = 0;
    transaction.hasNonce = false;
    transaction.expiration.value = 0;
    transaction.isVendorFieldHex = false;
    empty(transaction.recipientId);
    empty(transaction.vendorField);
    empty(transaction.signature);
    empty(transaction.secondSignature);
    transaction.oddRecipient = null;
    transaction.asset = null;
    transaction.signatures = null;
    this.asset = null;
    this.signatures = null;
    this.needsVendorHex = false;
    return this.readObject(TRANSACTION) && this.settle(transaction);
  }

  /** Sets the values that depend on other fields; false if they are malformed. */
  private settle(transaction: TransactionText): boolean {
    const { version, type, typeGroup } = transaction;
    if (this.needsVendorHex && !transaction.isVendorFieldHex) return false;
    if (typeGroup.value === NONE) {
      typeGroup.value = CORE_TYPE_GROUP;
      if (!transaction.hasNonce && type.value >= FIRST_CHANGED_NUMBER) {
        const changed = typeOfOldNumber(type.value);
        typeGroup.value = changed.typeGroup;
        type.value = changed.type;
      }
    }
    // Core 3 adds nonces to transactions of version 1, although their senders signed none.
    if (version.value === 1) transaction.hasNonce = false;
    if (!mayExpire(version.value, typeGroup.value, type.value)) transaction.expiration.value = 0;
    if (this.signatures === null && hasNoAsset(typeGroup.value, type.value)) return true;
    try {
      transaction.asset = decodeAsset({ asset: this.asset }, typeGroup.value, type.value);
      transaction.signatures = signaturesOf({ signatures: this.signatures });
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
