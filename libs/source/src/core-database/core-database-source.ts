import {
  heightOf,
  parseLosslessJson,
  type Block,
  type BlockRef,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';
import { openPool } from '@roundhouse/config';
import type pg from 'pg';
import type { BlockSegment, RawSource } from '../block-source.js';
import { decodeFrom } from '../checks/block-checker.js';
import { decodeHeader, decodeRef, decodeTransaction } from '@roundhouse/blocks';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import { translateDatabaseError } from './database-error.js';
import {
  CLOSED_SCHEMAS,
  COLUMNS,
  FOREIGN_TRANSACTION,
  HEADERS,
  linesQuery,
  TIP,
  transactionsQuery,
  type TransactionColumns,
} from './queries.js';

interface DatabaseOptions {
  /** For connecting and for each statement. */
  readonly timeoutMs: number;
  readonly onUnavailable?: (error: NodeUnavailableError) => void;
}

const MAX_CONNECTIONS = 4;
const KEEP_ALIVE_MS = 5_000;

/** Segments exclude the newest blocks, which the node may still replace. */
const UNSETTLED_BLOCKS = 200;

/**
 * A segment's size in bytes is known only after it is read, so the number of blocks is adjusted from one to the
 * next.
 */
const SEGMENT_BYTES = 1024 * 1024;
const FIRST_SEGMENT_BLOCKS = 100;
const MOST_SEGMENT_BLOCKS = 1_000;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly isReadable: boolean;
}

interface ForeignTransaction {
  readonly id: string;
  readonly type: number;
  readonly typeGroup: number;
}

/** The search for foreign transactions is given up after this time: the milestones show such a chain as well. */
const FOREIGN_WITHIN_MS = 5_000;

const QUERY_CANCELED = '57014';

const nothingIfLate = (error: Error & { readonly code?: string }): null => {
  if (error.code === QUERY_CANCELED) return null;
  throw error;
};

const REQUIRED_TABLES = ['blocks', 'transactions'];

/**
 * A Core node's own PostgreSQL database, lines 2.x and 3.x. Access is read-only, whatever the user's rights are.
 */
export class CoreDatabaseSource implements RawSource {
  readonly name: string;
  private readonly pool: pg.Pool;
  private columns: TransactionColumns | null = null;

  constructor(
    url: URL,
    private readonly options: DatabaseOptions,
  ) {
    this.name = `postgres://${url.host}${url.pathname}`;
    this.pool = openPool(
      {
        connectionString: url.href,
        max: MAX_CONNECTIONS,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
        connectionTimeoutMillis: options.timeoutMs,
        statement_timeout: options.timeoutMs,
        // A little longer, so that the error of a server that still works arrives first.
        query_timeout: options.timeoutMs + 1000,
        options: '-c default_transaction_read_only=on -c standard_conforming_strings=on',
        application_name: 'roundhouse',
      },
      // The pool replaces it. The next query reports a lasting failure.
      () => undefined,
    );
  }

  network(): Promise<null> {
    return Promise.resolve(null);
  }

  /** The lines of Core whose columns the tables have. */
  lineName(): Promise<string> {
    return this.read(async (client) =>
      (await this.transactionColumns(client)).hasTypeGroup ? 'Core 2.6 to 3.x' : 'Core 2.0 to 2.5',
    );
  }

  chainProblem(): Promise<string | null> {
    return this.read(async (client) => {
      const { hasTypeGroup } = await this.transactionColumns(client);
      if (!hasTypeGroup) return null;
      await client.query(`SET LOCAL statement_timeout = ${FOREIGN_WITHIN_MS}`);
      const found = await client.query<ForeignTransaction>(FOREIGN_TRANSACTION).catch(nothingIfLate);
      const foreign = found?.rows[0];
      if (!foreign) return null;
      const { id, type, typeGroup } = foreign;
      return (
        `holds transactions by other rules than ARK's, such as ${id} (type ${type} of type group ${typeGroup}): votes by ` +
        `username, shared votes or burned tokens. Such a chain cannot be indexed; docs/protocol.md, "Sister chains", ` +
        `lists those that can.`
      );
    });
  }

  tip(): Promise<BlockRef> {
    return this.read(async (client) => {
      await this.transactionColumns(client);
      const { rows } = await client.query<JsonObject>(TIP);
      if (rows.length === 0) {
        throw new NodeProtocolError(
          this.name,
          `${this.name} holds no block yet: let the node synchronise first.`,
        );
      }
      return decodeFrom(this.name, 'its newest block', rows[0], decodeRef);
    });
  }

  blocks(from: number, to: number): Promise<Block[]> {
    return this.read(async (client) => {
      const columns = await this.transactionColumns(client);
      const { rows } = await client.query<JsonObject>(HEADERS, [from, to]);
      const headers = rows.map((row) => decodeFrom(this.name, 'a block', row, decodeHeader));
      const announced = headers.reduce((sum, { numberOfTransactions }) => sum + numberOfTransactions, 0);
      // Request one more than announced, so that a surplus is noticed and refused.
      const bounds = [from, to, announced + 1];
      const transactions = await client.query<JsonObject>(transactionsQuery(columns), bounds);
      const byHeight = this.decodeTransactions(transactions.rows);
      return headers.map((header) => ({ ...header, transactions: byHeight.get(header.height) ?? [] }));
    });
  }

  async *segments(from: number): AsyncGenerator<BlockSegment, void> {
    const last = (await this.tip()).height - UNSETTLED_BLOCKS;
    let size = FIRST_SEGMENT_BLOCKS;
    for (let next = from; next <= last;) {
      const to = Math.min(last, next + size - 1);
      const bytes = await this.readLines(next, to);
      yield { firstHeight: next, bytes };
      size = Math.ceil(Math.min(MOST_SEGMENT_BLOCKS, 2 * size, (size * SEGMENT_BYTES) / bytes.length));
      next = to + 1;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private readLines(from: number, to: number): Promise<Uint8Array> {
    return this.read(async (client) => {
      const query = linesQuery(await this.transactionColumns(client));
      const { rows } = await client.query<{ count: number; lines: string | null }>(query, [from, to]);
      const { count, lines } = rows[0]!;
      const lacking = to - from + 1 - count;
      if (lines !== null && lacking === 0) return Buffer.from(lines);
      throw new NodeProtocolError(
        this.name,
        `${this.name} lacks ${lacking} of the blocks from height ${from} to ${to}: let the node repair its database, or use ` +
          `another BLOCK_SOURCE.`,
        { height: from },
      );
    });
  }

  private decodeTransactions(rows: readonly JsonObject[]): Map<number, Transaction[]> {
    const byHeight = new Map<number, Transaction[]>();
    for (const row of rows) {
      const height = decodeFrom(this.name, 'a transaction', row, () => heightOf(row, 'blockHeight'));
      const transaction = decodeFrom(
        this.name,
        `transaction ${String(row['id'])}`,
        row,
        () => decodeTransaction(withAsset(row)),
        height,
      );
      const sameBlock = byHeight.get(height);
      if (sameBlock) sameBlock.push(transaction);
      else byHeight.set(height, [transaction]);
    }
    return byHeight;
  }

  private async transactionColumns(client: pg.PoolClient): Promise<TransactionColumns> {
    if (this.columns) return this.columns;
    const { rows } = await client.query<Column>(COLUMNS);
    const missing = REQUIRED_TABLES.filter((table) => !rows.some((row) => row.table === table));
    if (missing.length > 0) {
      const { rows: closed } = await client.query<{ schema: string }>(CLOSED_SCHEMAS);
      if (closed.length > 0) throw this.forbidden(`GRANT USAGE ON SCHEMA ${closed[0]!.schema} TO the user`);
      throw new NodeProtocolError(
        this.name,
        `${this.name} is not a Core node's database: it has no table ${missing.join(' and no table ')}. Correct BLOCK_SOURCE.`,
      );
    }
    const unreadable = REQUIRED_TABLES.filter(
      (table) => !rows.some((row) => row.table === table && row.isReadable),
    );
    if (unreadable.length > 0) throw this.forbidden(`GRANT SELECT ON ${unreadable.join(', ')} TO the user`);
    if (!rows.some(({ table, column }) => table === 'transactions' && column === 'serialized')) {
      throw new NodeProtocolError(
        this.name,
        `${this.name} is not the database of Core 2.x or 3.x: its transactions have no column "serialized". Correct ` +
          `BLOCK_SOURCE; docs/protocol.md, "Sister chains", lists the chains that can be indexed.`,
      );
    }
    const hasTypeGroup = rows.some(
      ({ table, column }) => table === 'transactions' && column === 'type_group',
    );
    return (this.columns = { hasTypeGroup });
  }

  private forbidden(grant: string): NodeProtocolError {
    return new NodeProtocolError(
      this.name,
      `The user of ${this.name} may not read the node's tables: ${grant}, as their owner (docs/runbook/sources.md has the commands).`,
    );
  }

  /** Reads in one snapshot, because the node may replace blocks between two statements. */
  private async read<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.pool.connect();
      await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const result = await work(client);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      // Do not reuse a connection in an unknown state.
      client?.release(true);
      const translated = translateDatabaseError(this.name, error);
      if (translated instanceof NodeUnavailableError) this.options.onUnavailable?.(translated);
      throw translated;
    }
  }
}

const withAsset = (row: JsonObject): JsonObject =>
  typeof row['asset'] === 'string' ? { ...row, asset: parseLosslessJson(row['asset']) } : row;
