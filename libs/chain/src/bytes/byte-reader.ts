/** Of a public key. */
export const KEY_BYTES = 33;
/** Of a SHA-256. */
export const HASH_BYTES = 32;

/** Reads the little-endian parts of a serialised transaction. Each method throws `RangeError` beyond the end. */
export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Returns the byte that is `ahead` bytes after the next one. Does not step over it. */
  peek(ahead = 0): number {
    return this.bytes.readUInt8(this.at + ahead);
  }

  u8(): number {
    return this.take(1).readUInt8();
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  u64(): bigint {
    return this.take(8).readBigUInt64LE();
  }

  hex(count: number): string {
    return this.take(count).toString('hex');
  }

  take(count: number): Buffer {
    const end = this.at + count;
    if (end > this.bytes.length) throw new RangeError(`${end} bytes are due, ${this.bytes.length} are there`);
    const part = this.bytes.subarray(this.at, end);
    this.at = end;
    return part;
  }

  /** One byte for the length, then the bytes. */
  short(): Buffer {
    return this.take(this.u8());
  }

  shortText(): string {
    return this.short().toString();
  }
}
