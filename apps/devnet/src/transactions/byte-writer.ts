/** Collects the little-endian parts of a serialised transaction. */
export class ByteWriter {
  private readonly parts: Uint8Array[] = [];

  u8(...values: readonly number[]): this {
    return this.bytes(Uint8Array.from(values));
  }

  u16(value: number): this {
    const part = Buffer.allocUnsafe(2);
    part.writeUInt16LE(value);
    return this.bytes(part);
  }

  u32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeUInt32LE(value);
    return this.bytes(part);
  }

  u64(value: bigint): this {
    const part = Buffer.allocUnsafe(8);
    part.writeBigUInt64LE(value);
    return this.bytes(part);
  }

  hex(text: string): this {
    return this.bytes(Buffer.from(text, 'hex'));
  }

  bytes(part: Uint8Array): this {
    this.parts.push(part);
    return this;
  }

  /** One byte for the length, then the bytes. */
  short(part: Uint8Array): this {
    return this.u8(part.length).bytes(part);
  }

  result(): Buffer {
    return Buffer.concat(this.parts);
  }
}
