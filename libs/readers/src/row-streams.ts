import { addAbortSignal } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { BlockRef } from '@roundhouse/chain';
import { SET_SESSION } from '@roundhouse/entities';
import { bytesOf } from '@roundhouse/entities/tables';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { ListStreams, NamedQuery, StreamValue } from './at-head.js';
import { asUnavailable, HeadPassedError } from './errors.js';
import { openConnections, type PoolOptions } from './pools.js';

/** For a whole list. */
const LIST_TIMEOUT_MS = 600_000;

/**
 * Set in each transaction: a pooler's sessions take no settings of ours, and the role's defaults are for short answers.
 * transaction_timeout, which servers before 17 do not have, runs already, and can only be switched off.
 */
const BEGIN = `
BEGIN READ ONLY; ${SET_SESSION};
SELECT set_config(name, CASE name WHEN 'transaction_timeout' THEN '0' ELSE '${LIST_TIMEOUT_MS}' END, true)
FROM pg_settings
WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/** How long the next rows may take. PostgreSQL sorts all rows before it sends the first. */
const ROWS_TIMEOUT_MS = 60_000;

const LINE_FEED = 0x0a;
const COMMA = 0x2c;

const literal = (value: StreamValue): string => {
  if (value === null) return 'NULL';
  return pg.escapeLiteral(Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value));
};

// COPY takes no parameters. JSON never contains this quote and this delimiter, so CSV holds each object unchanged. A null
// is an empty line.
const copyOf = (text: string, values: readonly StreamValue[]): string => {
  const literals = values.map(literal);
  const rows = text.replace(/\$(\d+)/g, (_, position) => literals[Number(position) - 1]!);
  return `COPY (${rows}) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`;
};

const statementOf = (at: BlockRef, text: string, values: readonly StreamValue[]): string =>
  copyOf(text, [at.height, bytesOf('block id', at.id), ...values]);

/**
 * Reads lists that are too large for memory, in pieces. Each list has one statement on a connection of its own, which
 * sends rows no faster than they are taken.
 */
export class RowStreams implements ListStreams {
  private readonly pool: pg.Pool;
  private readonly closing = new AbortController();

  constructor({ poolSize: max, ...options }: Omit<PoolOptions, 'isPooled'> & { readonly poolSize: number }) {
    this.pool = openConnections(options, { max, keepAlive: true });
  }

  /**
   * The objects of a list at one head, separated by commas. `query` returns one column with a JSON object in each row,
   * and at least one row at that head ($1 is its height, $2 its id). A caller that stops early must call `return`,
   * which frees the connection. Throws `HeadPassedError` and `DatabaseUnavailableError`.
   */
  async *read(
    at: BlockRef,
    { name, text }: NamedQuery,
    values: readonly StreamValue[],
  ): AsyncGenerator<Buffer, void, undefined> {
    // The last line feed must not become a comma, so the newest piece is held back.
    let held: Buffer | null = null;
    let lineStart = 0;
    for await (const piece of this.copy(statementOf(at, text, values))) {
      for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, lineStart)) {
        // A list that silently omits something would be worse than none.
        if (end === lineStart)
          throw new Error(`The query "${name}" returned a row with a null in a required field.`);
        piece[end] = COMMA;
        lineStart = end + 1;
      }
      lineStart -= piece.length;
      if (held) yield held;
      held = piece;
    }
    if (!held) throw new HeadPassedError(at);
    yield held.subarray(0, -1);
  }

  /** The same list as values, those of each piece together, for what is not sent as PostgreSQL writes it. */
  async *readValues<T>(
    at: BlockRef,
    { text }: NamedQuery,
    values: readonly StreamValue[],
  ): AsyncGenerator<T[], void, undefined> {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    let isEmpty = true;
    for await (const piece of this.copy(statementOf(at, text, values))) {
      const lines = (rest + decoder.write(piece)).split('\n');
      rest = lines.pop()!;
      isEmpty = false;
      yield lines.map((line) => JSON.parse(line) as T);
    }
    if (isEmpty) throw new HeadPassedError(at);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.pool.end();
  }

  private async *copy(statement: string): AsyncGenerator<Buffer, void, undefined> {
    let client: pg.PoolClient | null = null;
    let isComplete = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      client = await this.pool.connect();
      await client.query(BEGIN);
      const bytes = addAbortSignal(this.closing.signal, client.query(copyTo(statement)));
      // pg also reports an error after the reading has ended.
      bytes.on('error', () => undefined);
      const awaitRows = (): void => {
        timer = setTimeout(() => bytes.destroy(new Error('no rows came in time')), ROWS_TIMEOUT_MS);
      };
      awaitRows();
      for await (const piece of bytes as AsyncIterable<Buffer>) {
        clearTimeout(timer);
        yield piece;
        awaitRows();
      }
      isComplete = true;
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      clearTimeout(timer);
      // To end a COPY before its last row, the connection has to be closed.
      const isFree = isComplete && (await client!.query('COMMIT').catch(() => null)) !== null;
      client?.release(!isFree);
    }
  }
}
