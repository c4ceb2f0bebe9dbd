import type { Readable } from 'node:stream';

// The binary form of COPY: a header; each row as the number of its fields (int16), each field as its length (int32, -1
// for null) and its bytes; at the end the number -1. https://www.postgresql.org/docs/current/sql-copy.html
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0' + '\0'.repeat(8), 'latin1');
const END = Buffer.from([0xff, 0xff]);
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;

/** Rows of a COPY in binary form that come ordered by height, in one part of COPY's form after the other. */
export class SortedRows {
  /** How many rows have been taken. */
  taken = 0;
  private readonly chunks: AsyncIterator<Buffer>;
  private bytes: Buffer = Buffer.alloc(0);
  /** Where the next row begins and ends, and its height. */
  private at = HEADER.length;
  private end = 0;
  private height = 0;

  /** `column`: the place of the height, an integer, among the fields; null if all rows count as height 0. */
  constructor(
    copied: Readable,
    private readonly column: number | null,
  ) {
    this.chunks = copied[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Whether a row up to this height is next. */
  async hasUpTo(height: number): Promise<boolean> {
    while (!this.read()) {
      const chunk = await this.chunks.next();
      if (chunk.done === true) return false;
      // The first chunk may be shorter than the header.
      const left = Math.min(this.at, this.bytes.length);
      this.bytes = Buffer.concat([this.bytes.subarray(left), chunk.value]);
      this.at -= left;
    }
    return this.height <= height;
  }

  /** A part of all next rows up to this height. */
  async *upTo(height: number): AsyncGenerator<Buffer, void> {
    yield HEADER;
    while (await this.hasUpTo(height)) {
      const from = this.at;
      do {
        this.at = this.end;
        this.taken += 1;
      } while (this.read() && this.height <= height);
      yield this.bytes.subarray(from, this.at);
    }
    yield END;
  }

  /** Finds the next row; false if not all of it has come, or none follows. */
  private read(): boolean {
    const { bytes } = this;
    let end = this.at + COUNT_BYTES;
    if (end > bytes.length) return false;
    const fields = bytes.readInt16BE(this.at);
    if (fields < 0) return false;
    for (let field = 0; field < fields; field += 1) {
      if (end + LENGTH_BYTES > bytes.length) return false;
      const length = bytes.readInt32BE(end);
      end += LENGTH_BYTES + Math.max(length, 0);
      if (end > bytes.length) return false;
      if (field === this.column) this.height = bytes.readInt32BE(end - length);
    }
    this.end = end;
    return true;
  }
}
