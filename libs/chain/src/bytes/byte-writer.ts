import { UnserialisableError } from './unserialisable.error.js';

/** Collects the little-endian parts of serialised blocks and transactions, in memory that is used again for the next one. */
export class ByteWriter {
  private out = Buffer.allocUnsafe(1024);
  private view = viewOf(this.out);
  private at = 0;

  begin(): this {
    this.at = 0;
    return this;
  }

  u8(value: number): this {
    const at = this.take(1);
    this.view.setUint8(at, value);
    return this;
  }

  u16(value: number): this {
    const at = this.take(2);
    this.view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.take(4);
    this.view.setUint32(at, value, true);
    return this;
  }

  u64(value: bigint): this {
    const at = this.take(8);
    this.view.setBigUint64(at, value, true);
    return this;
  }

  zeros(count: number): this {
    const at = this.take(count);
    this.out.fill(0, at, at + count);
    return this;
  }

  /** The bytes of hexadecimal text. Throws `UnserialisableError` for other text: bytes written earlier would remain. */
  hex(text: string): this {
    const at = this.take(text.length >> 1);
    if (this.out.write(text, at, 'hex') * 2 !== text.length)
      throw new UnserialisableError('has a text that is not hexadecimal');
    return this;
  }

  bytes(part: Uint8Array): this {
    const at = this.take(part.length);
    this.out.set(part, at);
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

  /** Makes room for `bytes` more, perhaps in other memory; returns their offset. */
  private take(bytes: number): number {
    const { at } = this;
    this.at += bytes;
    if (this.at > this.out.length) {
      const larger = Buffer.allocUnsafe(this.at * 2);
      this.out.copy(larger, 0, 0, at);
      this.out = larger;
      this.view = viewOf(larger);
    }
    return at;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** A part that the bytes must have. Throws `UnserialisableError` if it is missing. */
export const required = <T>(part: T | null | undefined, name: string): T => {
  if (part === undefined || part === null) throw new UnserialisableError(`has no "${name}"`);
  return part;
};
