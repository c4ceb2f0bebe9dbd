import type { Readable } from 'node:stream';

// The binary form of COPY: a header; each row as the number of its fields (int16), each field as its length (int32, -1
// for null) and its bytes; at the end the number -1. https://www.postgresql.org/docs/current/sql-copy.html
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0' + '\0'.repeat(8), 'latin1');
const END = Buffer.from([0xff, 0xff]);
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;

interface Row {
  /** Where the next one begins. */
  readonly end: number;
  readonly height: number;
}

/** Rows of a COPY in binary form that come ordered by height, in one part of COPY's form after the other. */
export class SortedRows {
  /** How many rows have been taken. */
  taken = 0;
  private readonly chunks: AsyncIterator<Buffer>;
  private bytes: Buffer = Buffer.alloc(0);
  private at = HEADER.length;

  /** `column`: the place of the height, an integer, among the fields; null if all rows count as height 0. */
  constructor(
    copied: Readable,
    private readonly column: number | null,
  ) {
    this.chunks = copied[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Whether a row up to this height is next. */
  async hasUpTo(height: number): Promise<boolean> {
    const row = await this.next();
    return row !== null && row.height <= height;
  }

  /** A part of all next rows up to this height. */
  async *upTo(height: number): AsyncGenerator<Buffer, void> {
    yield HEADER;
    for (let row = await this.next(); row !== null && row.height <= height; row = await this.next()) {
      const from = this.at;
      for (let taken: Row | null = row; taken !== null && taken.height <= height; taken = this.read()) {
        this.at = taken.end;
        this.taken += 1;
      }
      yield this.bytes.subarray(from, this.at);
    }
    yield END;
  }

  /** The next row, which it waits for; null after the last one. */
  private async next(): Promise<Row | null> {
    for (let row = this.read(); ; row = this.read()) {
      if (row !== null) return row;
      const chunk = await this.chunks.next();
      if (chunk.done === true) return null;
      // The first chunk may be shorter than the header.
      const left = Math.min(this.at, this.bytes.length);
      this.bytes = Buffer.concat([this.bytes.subarray(left), chunk.value]);
      this.at -= left;
    }
  }

  /** The next row if all of it has come. */
  private read(): Row | null {
    const { bytes } = this;
    let end = this.at + COUNT_BYTES;
    if (end > bytes.length) return null;
    const fields = bytes.readInt16BE(this.at);
    if (fields < 0) return null;
    let height = 0;
    for (let field = 0; field < fields; field += 1) {
      if (end + LENGTH_BYTES > bytes.length) return null;
      const length = bytes.readInt32BE(end);
      end += LENGTH_BYTES + Math.max(length, 0);
      if (end > bytes.length) return null;
      if (field === this.column) height = bytes.readInt32BE(end - length);
    }
    return { end, height };
  }
}
