import { hexOfForm, type Column, type Table } from '@roundhouse/entities/tables';
import { arraysOf } from '@roundhouse/entities/sql';
import type { ClientBase, Connection, Submittable } from 'pg';

/** The rows of one table, in COPY's text or binary form. */
export interface CopyRows {
  readonly table: string;
  /** In the order of the values. */
  readonly columns: readonly string[];
  readonly format: 'text' | 'binary';
  readonly chunks: readonly Uint8Array[];
}

// PostgreSQL's documentation, "Message Formats": a letter, then the length of the rest, including the length field
// itself.
export const LENGTH_BYTES = 4;
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, LENGTH_BYTES]);

const copyDataHeader = (length: number): Buffer => {
  const header = Buffer.alloc(1 + LENGTH_BYTES);
  header[0] = COPY_DATA;
  header.writeUInt32BE(LENGTH_BYTES + length, 1);
  return header;
};

/** The memory that the rows of tables hold. */
export const sizeOf = (copies: readonly CopyRows[]): number =>
  copies.flatMap(({ chunks }) => chunks).reduce((sum, chunk) => sum + chunk.length, 0);

const statement = ({ table, columns, format }: CopyRows): string =>
  `COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT ${format})`;

/**
 * Sends statements and all their rows at once and gets one answer. With other clients, a COPY waits for the server's
 * permission before its rows and for its answer before the next statement. A busy thread notices each reply late,
 * and meanwhile the server is idle. After an error the server discards the rows that follow (the protocol's "COPY
 * Operations").
 */
class CopyIn implements Submittable {
  readonly text: string;

  /** node-postgres replaces `callback` to end a query that takes too long. */
  constructor(
    private readonly copies: readonly CopyRows[],
    before: readonly string[],
    public callback: (error: Error | null) => void,
  ) {
    this.text = [...before, ...copies.map(statement)].join('; ');
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    // A lost connection rejects all waiting queries itself.
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
    // The rows are already sent.
  }

  handleCommandComplete(): void {
    // The next table's rows are already sent, too.
  }
}

/**
 * Adds rows to tables, one after the other, after statements that return no rows. Do not change the chunks until it
 * resolves.
 */
export const copyIn = (
  client: ClientBase,
  copies: readonly CopyRows[],
  before: readonly string[] = [],
): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(copies, before, (error) => (error ? reject(error) : resolve())));
  });

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in PostgreSQL's COPY text format. */
type CopyField = (value: unknown) => string;

const textField: CopyField = (value) => {
  const text = value as string;
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : text;
};

/** How the values of a column are written. Bytes begin with `\x`; COPY turns two backslashes into one. */
const fieldOf = ({ type, form, usual, isNullable }: Column): CopyField => {
  const written = ((): CopyField => {
    if (type === 'bytea[]') return (value) => `{${(value as string[]).map(quotedBytes).join(',')}}`;
    if (type.endsWith('[]')) return (value) => `{${String(value)}}`;
    if (form !== undefined) return (value) => `\\\\x${hexOfForm(form, value as string)}`;
    if (type === 'json') return (value) => textField(JSON.stringify(value));
    return type === 'text' ? textField : String;
  })();
  if (usual !== undefined) return (value) => (value === usual ? '\\N' : written(value));
  return isNullable ? (value) => (value === null ? '\\N' : written(value)) : written;
};

/** An array's text has a backslash twice, and COPY each of these twice. */
const quotedBytes = (hex: string): string => `"\\\\\\\\x${hex}"`;

const CHUNK_CHARACTERS = 1 << 18;

/** Returns a function that encodes the rows of a table; large chunks cost less than single lines. */
export const textInto = <Row extends object>(table: Table<Row>): ((rows: Iterable<Row>) => CopyRows) => {
  const columns = table.columns.map(({ name }) => name);
  const fields = table.columns.map((column) => ({
    property: column.property as keyof Row,
    written: fieldOf(column),
  }));
  const [first, ...others] = fields;
  return (rows) => {
    const chunks: Buffer[] = [];
    let chunk = '';
    for (const row of rows) {
      chunk += first!.written(row[first!.property]);
      for (const { property, written } of others) chunk += `\t${written(row[property])}`;
      chunk += '\n';
      if (chunk.length < CHUNK_CHARACTERS) continue;
      chunks.push(Buffer.from(chunk));
      chunk = '';
    }
    if (chunk !== '') chunks.push(Buffer.from(chunk));
    return { table: table.name, columns, format: 'text', chunks };
  };
};

/** One statement of a batch. It holds its own values, so the ledger may continue. */
export interface WriteStep {
  run(): Promise<unknown>;
  readonly sizeBytes: number;
}

/** One step for all tables that have rows. */
export const copyStep = (client: ClientBase, ...tables: readonly CopyRows[]): WriteStep[] => {
  const rows = tables.filter(({ chunks }) => chunks.length > 0);
  if (rows.length === 0) return [];
  return [{ run: () => copyIn(client, rows), sizeBytes: sizeOf(rows) }];
};

/** Roughly how much memory a value takes while it waits. */
const VALUE_BYTES = 40;

export const queryStep = (client: ClientBase, sql: string, values: readonly unknown[][]): WriteStep => ({
  run: () => client.query(sql, values as unknown[][]),
  sizeBytes: VALUE_BYTES * values.length * values[0]!.length,
});

/** One statement for all rows; none if there are no rows. */
export const arrayStep = <Row extends object>(
  client: ClientBase,
  sql: string,
  rows: readonly Row[],
  columns: readonly Column[],
): WriteStep[] => (rows.length === 0 ? [] : [queryStep(client, sql, arraysOf(rows, columns))]);
