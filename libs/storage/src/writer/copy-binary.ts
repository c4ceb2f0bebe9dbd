import type { AmountText, Span } from '@roundhouse/chain';

/** Rows of one table in COPY's binary form, block by block. */
export interface EncodedRows {
  readonly bytes: Uint8Array;
  /** For each block the end of its rows in `bytes`. */
  readonly ends: Uint32Array;
}

// PostgreSQL's documentation, "COPY", "Binary Format": a signature, no flags, no extension; a field count of -1 behind the rows.
export const COPY_HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
export const COPY_TRAILER = Buffer.from('ffff', 'hex');

const LEAST_BYTES = 64 * 1024;

/** Rows that come after those of some size have about the same: growing leaves buffers behind. */
const SPARE = 1.125;

const INT4_BYTES = 4;
const INT8_BYTES = 8;
const NULL_LENGTH = -1;

/** Makes rows straight into bytes, field by field in the order of the columns, whose types must be just these. */
export class RowBytes {
  private bytes: Buffer;
  private length = 0;
  private readonly ends: number[] = [];

  constructor(expectedBytes: number) {
    this.bytes = Buffer.allocUnsafe(Math.max(Math.ceil(expectedBytes * SPARE), LEAST_BYTES));
  }

  /** Each row begins with the number of its fields. */
  beginRow(fields: number): void {
    this.reserve(2);
    this.length = this.bytes.writeInt16BE(fields, this.length);
  }

  int4(value: number): void {
    this.reserve(2 * INT4_BYTES);
    this.length = this.bytes.writeInt32BE(value, this.bytes.writeInt32BE(INT4_BYTES, this.length));
  }

  int8(value: bigint): void {
    this.reserve(INT4_BYTES + INT8_BYTES);
    this.length = this.bytes.writeBigInt64BE(value, this.bytes.writeInt32BE(INT8_BYTES, this.length));
  }

  amount({ high, low }: AmountText): void {
    this.reserve(INT4_BYTES + INT8_BYTES);
    const at = this.bytes.writeInt32BE(INT8_BYTES, this.length);
    this.length = this.bytes.writeUInt32BE(low, this.bytes.writeUInt32BE(high, at));
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.reserve(INT4_BYTES + length);
    const at = this.bytes.writeInt32BE(length, this.length);
    this.length = at + this.bytes.write(value, at);
  }

  /** Copies a text from where it lies. For the few dozen bytes that they are, a loop is quicker than `Buffer.copy`. */
  span(source: Uint8Array, { start, end }: Span): void {
    const length = end - start;
    this.reserve(INT4_BYTES + length);
    const { bytes } = this;
    let at = bytes.writeInt32BE(length, this.length);
    for (let i = start; i < end; i += 1) bytes[at++] = source[i]!;
    this.length = at;
  }

  null(): void {
    this.reserve(INT4_BYTES);
    this.length = this.bytes.writeInt32BE(NULL_LENGTH, this.length);
  }

  endBlock(): void {
    this.ends.push(this.length);
  }

  finish(): EncodedRows {
    return { bytes: this.bytes.subarray(0, this.length), ends: Uint32Array.from(this.ends) };
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
