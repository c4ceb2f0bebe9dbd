import { createHash, type Hash } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { COMPARED_TABLES, keyOf, type Column } from '@roundhouse/entities/tables';
import type { Client, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { valuesOf } from '@roundhouse/entities/sql';

export interface TableDigest {
  readonly table: string;
  /**
   * SHA-256 in hex over the rows as `COPY` text, ordered by primary key. Bytes are in their text form (`valuesOf`), and
   * JSON as PostgreSQL's jsonb writes it.
   */
  readonly sha256: string;
}

export interface IndexDigest {
  readonly tables: readonly TableDigest[];
  /** SHA-256 in hex over the names and digests of the tables. */
  readonly sha256: string;
}

/** What jsonb cannot hold: NUL, half a pair of surrogates, huge numbers. */
const NO_JSONB = String.raw`\\u(0000|d[89a-f])|\d[Ee][+-]?\d{4}`;

/** Nodes give the same asset with keys in different orders. */
const canonical = (name: string): string =>
  `CASE WHEN ${name}::text ~* '${NO_JSONB}' THEN ${name}::text ELSE ${name}::jsonb::text END AS ${name}`;

const digested = (columns: readonly Column[]): string =>
  columns.map((column) => (column.type === 'json' ? canonical(column.name) : valuesOf([column]))).join(', ');

/** The tables that the chain alone determines: without undo records, round digests and events. */
const ROWS = COMPARED_TABLES.map((table) => {
  const columns = table.columns.filter(({ isLocal }) => !isLocal);
  const key = keyOf(table).map(({ name }) => `${table.name}.${name}`);
  return {
    table: table.name,
    rows: `SELECT ${digested(columns)} FROM ${table.name} ORDER BY ${key.join(', ')}`,
  };
});

const hashing = (hash: Hash): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done();
    },
  });

/** Digests of all tables in one snapshot. Two indexes of one chain have the same digests, however they were filled. */
export const digestTables = async (client: Client | PoolClient): Promise<IndexDigest> => {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const tables: TableDigest[] = [];
    const all = createHash('sha256');
    for (const { table, rows } of ROWS) {
      const hash = createHash('sha256');
      await pipeline(client.query(copyTo(`COPY (${rows}) TO STDOUT`)), hashing(hash));
      const sha256 = hash.digest('hex');
      tables.push({ table, sha256 });
      all.update(`${table} ${sha256}\n`);
    }
    return { tables, sha256: all.digest('hex') };
  } finally {
    await client.query('ROLLBACK');
  }
};
