import type { ClientBase, Connection, Submittable } from 'pg';

/** The rows of one table, in COPY's text or binary form. */
export interface CopyRows {
  readonly table: string;
  /** In the order of the values. */
  readonly columns: readonly string[];
  readonly format: 'text' | 'binary';
  readonly chunks: readonly Uint8Array[];
}

// PostgreSQL's documentation, "Message Formats": a letter, then the length of what follows, itself included.
const LENGTH_BYTES = 4;
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, LENGTH_BYTES]);

const copyDataHeader = (length: number): Buffer => {
  const header = Buffer.alloc(1 + LENGTH_BYTES);
  header[0] = COPY_DATA;
  header.writeUInt32BE(LENGTH_BYTES + length, 1);
  return header;
};

const statement = ({ table, columns, format }: CopyRows): string =>
  `COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT ${format})`;

/**
 * Statements and all their rows are sent at once, and answered once. Elsewhere a COPY waits for the server's leave before
 * its rows, and for its answer before the next: turns of the event loop that a busy thread is slow to take, while the server
 * waits. The server drops what comes behind an error of its own (the protocol's "COPY Operations").
 */
class CopyIn implements Submittable {
  readonly text: string;

  /** `callback` is where node-postgres looks for it, to end a query that takes too long. */
  constructor(
    private readonly copies: readonly CopyRows[],
    before: readonly string[],
    public callback: (error: Error | null) => void,
  ) {
    this.text = [...before, ...copies.map(statement)].join('; ');
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    // A connection that is lost tells all that wait for it.
    if (!stream.writable) return;
    stream.cork();
    connection.query(this.text);
    for (const { chunks } of this.copies) {
      for (const chunk of chunks) {
        stream.write(copyDataHeader(chunk.length));
        stream.write(chunk);
      }
      stream.write(COPY_DONE);
    }
    stream.uncork();
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleCopyInResponse(): void {
    // The rows are on their way.
  }

  handleCommandComplete(): void {
    // The rows of the next table are on their way, too.
  }
}

/** Adds rows to tables, one after the other, behind statements that give no rows. The chunks belong to the connection until it resolves. */
export const copyIn = (
  client: ClientBase,
  copies: readonly CopyRows[],
  before: readonly string[] = [],
): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(copies, before, (error) => (error ? reject(error) : resolve())));
  });
