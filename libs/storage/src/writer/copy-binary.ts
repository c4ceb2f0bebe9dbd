import { storedSignature } from '@roundhouse/entities/forms';
import {
  copyBytes,
  isFullId,
  viewOf,
  writeBlockId,
  writeHex,
  type AmountText,
  type Span,
} from '@roundhouse/blocks';

/** Rows of one table in COPY's binary form, block by block. */
export interface EncodedRows {
  readonly bytes: Uint8Array;
  /** For each block, where its rows end in `bytes`. */
  readonly ends: Uint32Array;
  /** Where the writer fills in the numbers of keys and addresses, ascending. */
  readonly numbersAt: Uint32Array;
}

// PostgreSQL's documentation, "COPY", "Binary Format": a signature, no flags, no extension; after the rows a field
// count of -1.
export const COPY_HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
export const COPY_TRAILER = Buffer.from('ffff', 'hex');

const LEAST_BYTES = 64 * 1024;

/**
 * The next rows usually take about as many bytes as the last ones. With this factor the buffer rarely has to grow.
 * Growing would leave unused buffers behind.
 */
const SPARE = 1.125;

const INT2_BYTES = 2;
const INT4_BYTES = 4;
const INT8_BYTES = 8;
const FULL_ID_BYTES = 32;
/** Of the longest signature in DER. */
const SIGNATURE_BYTES = 72;
const NULL_LENGTH = -1;
const ARRAY_HEADER_INTS = 5;
/** The type's number in PostgreSQL's catalog. */
const BYTEA = 17;

/** Encodes rows directly into bytes, field by field in the order of the columns. Each field must have its column's type. */
export class RowBytes {
  private bytes: Buffer;
  private view: DataView;
  private length = 0;
  private scratch = Buffer.allocUnsafe(SIGNATURE_BYTES);
  private readonly ends: number[] = [];
  private readonly numbersAt: number[] = [];

  constructor(expectedBytes: number) {
    this.bytes = Buffer.allocUnsafe(Math.max(Math.ceil(expectedBytes * SPARE), LEAST_BYTES));
    this.view = viewOf(this.bytes);
  }

  /** Each row begins with the number of its fields. */
  beginRow(fields: number): void {
    const at = this.take(INT2_BYTES);
    this.view.setInt16(at, fields);
  }

  int4(value: number): void {
    const at = this.beginField(INT4_BYTES);
    this.view.setInt32(at, value);
  }

  /** Leaves room for the number of a key or an address. */
  number(): void {
    this.int4(0);
    this.numbersAt.push(this.length - INT4_BYTES);
  }

  int2(value: number): void {
    const at = this.beginField(INT2_BYTES);
    this.view.setInt16(at, value);
  }

  amount({ high, low }: Pick<AmountText, 'high' | 'low'>): void {
    const at = this.beginField(INT8_BYTES);
    this.view.setUint32(at, high);
    this.view.setUint32(at + INT4_BYTES, low);
  }

  text(value: string): void {
    const at = this.beginField(Buffer.byteLength(value));
    this.bytes.write(value, at);
  }

  /** Copies a text from the bytes that hold it. */
  span(source: DataView, span: Span): void {
    const at = this.beginField(span.end - span.start);
    copyBytes(source, span, this.view, at);
  }

  /** The bytes of a hexadecimal text. */
  hex(source: Uint8Array, span: Span): void {
    const at = this.beginField((span.end - span.start) / 2);
    writeHex(this.bytes, at, source, span);
  }

  /** The bytes that are stored for a signature. */
  signature(source: Uint8Array, span: Span): void {
    const length = (span.end - span.start) / 2;
    if (this.scratch.length < length) this.scratch = Buffer.allocUnsafe(length);
    writeHex(this.scratch, 0, source, span);
    const stored = storedSignature(this.scratch.subarray(0, length));
    const at = this.beginField(stored.length);
    this.bytes.set(stored, at);
  }

  /** The bytes of a block id. */
  blockId(source: Uint8Array, span: Span): void {
    const at = this.beginField(isFullId(span) ? FULL_ID_BYTES : INT8_BYTES);
    writeBlockId(this.bytes, at, source, span);
  }

  /** A list of the bytes of hexadecimal texts. */
  hexes(values: readonly string[]): void {
    const elements = values.map((value) => Buffer.from(value, 'hex'));
    const size = elements.reduce(
      (sum, { length }) => sum + INT4_BYTES + length,
      ARRAY_HEADER_INTS * INT4_BYTES,
    );
    let at = this.beginField(size);
    const int4 = (value: number): void => {
      this.view.setInt32(at, value);
      at += INT4_BYTES;
    };
    // One dimension, no nulls, the type of the elements, their number, the first index.
    for (const value of [1, 0, BYTEA, elements.length, 1]) int4(value);
    for (const element of elements) {
      int4(element.length);
      at += element.copy(this.bytes, at);
    }
  }

  null(): void {
    const at = this.take(INT4_BYTES);
    this.view.setInt32(at, NULL_LENGTH);
  }

  endBlock(): void {
    this.ends.push(this.length);
  }

  finish(): EncodedRows {
    return {
      bytes: this.bytes.subarray(0, this.length),
      ends: Uint32Array.from(this.ends),
      numbersAt: Uint32Array.from(this.numbersAt),
    };
  }

  /** Returns the offset of a field's value, which follows the field's length. */
  private beginField(length: number): number {
    const at = this.take(INT4_BYTES + length);
    this.view.setInt32(at, length);
    return at + INT4_BYTES;
  }

  /** Makes room for `more` bytes and returns their offset. */
  private take(more: number): number {
    const at = this.length;
    this.length = at + more;
    if (this.length > this.bytes.length) this.grow(at);
    return at;
  }

  private grow(used: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.length, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, used);
    this.bytes = larger;
    this.view = viewOf(larger);
  }
}
