import { writeHex } from '../checks/block-id.js';
import type { AmountText, Span } from '../text/block-text.js';
import { UnserialisableError } from './unserialisable.error.js';

/** Collects the little-endian parts of a serialised transaction, in memory that is used again for the next one. */
export class ByteWriter {
  private out = Buffer.allocUnsafe(1024);
  private at = 0;

  begin(): this {
    this.at = 0;
    return this;
  }

  u8(value: number): this {
    this.room(1);
    this.out[this.at++] = value;
    return this;
  }

  u16(value: number): this {
    this.room(2);
    this.at = this.out.writeUInt16LE(value, this.at);
    return this;
  }

  u32(value: number): this {
    this.room(4);
    this.at = this.out.writeUInt32LE(value, this.at);
    return this;
  }

  u64(value: bigint): this {
    this.room(8);
    this.at = this.out.writeBigUInt64LE(value, this.at);
    return this;
  }

  amount({ low, high }: AmountText): this {
    return this.u32(low).u32(high);
  }

  zeros(count: number): this {
    this.room(count);
    this.out.fill(0, this.at, this.at + count);
    this.at += count;
    return this;
  }

  /** The bytes of hexadecimal text. */
  hex(text: string): this {
    this.room(text.length);
    this.at += this.out.write(text, this.at, 'hex');
    return this;
  }

  /** The bytes of hexadecimal text that lies in `bytes`. */
  hexSpan(bytes: Uint8Array, span: Span): this {
    this.room(span.end - span.start);
    this.at = writeHex(this.out, this.at, bytes, span);
    return this;
  }

  bytes(part: Uint8Array, start = 0, end = part.length): this {
    this.room(end - start);
    for (let i = start; i < end; i += 1) this.out[this.at++] = part[i]!;
    return this;
  }

  utf8(text: string): this {
    return this.bytes(Buffer.from(text));
  }

  /** One byte for the length, then the bytes. Throws `UnserialisableError` if they are too many. */
  short(part: Uint8Array): this {
    if (part.length > 255) throw new UnserialisableError('has a text of more than 255 bytes');
    return this.u8(part.length).bytes(part);
  }

  /** The bytes since `begin`. They are valid until it is called again. */
  result(): Buffer {
    return this.out.subarray(0, this.at);
  }

  private room(bytes: number): void {
    if (this.at + bytes <= this.out.length) return;
    const larger = Buffer.allocUnsafe((this.at + bytes) * 2);
    this.out.copy(larger, 0, 0, this.at);
    this.out = larger;
  }
}
