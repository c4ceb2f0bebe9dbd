import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Table } from '@roundhouse/entities/tables';
import type { Client, ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { namesOf } from '@roundhouse/entities/sql';
import { notifyHead, tellHead } from '../writer/move-head.js';
import { liftLimits } from './dump-tables.js';
import { proveState, type StateClients } from './prove-state.js';
import { SnapshotMismatchError, type StateClaim } from './read-claim.js';
import { LARGE_TABLES, SNAPSHOT_TABLES } from './snapshot-tables.js';

/** Rows of a table that are loaded by one COPY. */
export interface StoredPart {
  readonly rows: number;
  /** The rows in COPY's binary form. */
  open(): Readable;
}

export interface StoredSnapshot {
  readonly claim: StateClaim;
  /** Of `snapshotTablesOf`. The others become empty. */
  readonly tables: readonly Table[];
  readonly partsOf: (table: string) => readonly StoredPart[];
}

export interface RestoreProgress {
  /** More rows are loaded. */
  onRows(rows: number): void;
  /** Another table is complete, with its indexes. */
  onTable(table: string): void;
}

type Connections = Readonly<Record<keyof StateClients, Client>>;

// Memory for sorting keys: with PostgreSQL's default of 64 MB, a large index is built from files. A table that is in
// use, for instance by an api, is waited for. If this process ends, the server rolls back at once, also while it builds
// an index: until then, another attempt would find the writer's lock taken.
const SETTINGS = `SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL lock_timeout = '60s';
SET LOCAL client_connection_check_interval = '1s'`;

interface IndexDefinition {
  readonly drop: string;
  readonly create: string | null;
}

/** Each index and constraint of a table as statements. Those of the SQL views are dropped only. */
const SELECT_INDEXES = `
SELECT
  coalesce(format('ALTER TABLE %s DROP CONSTRAINT ', indrelid::regclass) || quote_ident(conname),
    format('DROP INDEX %s', indexrelid::regclass)) AS drop,
  CASE WHEN NOT starts_with(i.relname, 'ix_sql_') THEN coalesce(format('ALTER TABLE %s ADD CONSTRAINT ', indrelid::regclass) || quote_ident(conname) || ' ' || pg_get_constraintdef(c.oid)
    || CASE WHEN contype <> 'x' AND i.reloptions IS NOT NULL THEN ' WITH (' || array_to_string(i.reloptions, ', ') || ')' ELSE '' END,
    pg_get_indexdef(indexrelid)) END AS create
FROM pg_index JOIN pg_class i ON i.oid = indexrelid LEFT JOIN pg_constraint c ON c.conindid = indexrelid AND c.contype IN ('p', 'u', 'x')
WHERE indrelid = $1::regclass ORDER BY indexrelid`;

const loadPart = async (client: ClientBase, { name, columns }: Table, part: StoredPart): Promise<void> => {
  // Frozen rows need no VACUUM later; that is possible because this transaction has emptied the table.
  const copied = client.query(
    copyFrom(`COPY roundhouse.${name} (${namesOf(columns)}) FROM STDIN (FORMAT binary, FREEZE)`),
  );
  await pipeline(part.open(), copied);
  if (copied.rowCount === part.rows) return;
  throw new SnapshotMismatchError(`A part of ${name} has ${copied.rowCount} rows instead of ${part.rows}.`);
};

/** Leaves the transaction open. */
const loadTables = async (
  client: ClientBase,
  tables: readonly Table[],
  { partsOf, tables: stored }: StoredSnapshot,
  progress: RestoreProgress,
): Promise<void> => {
  await liftLimits(client);
  await client.query(`BEGIN; ${SETTINGS}`);
  await client.query(`TRUNCATE ${tables.map(({ name }) => `roundhouse.${name}`).join(', ')}`);
  for (const table of tables) {
    const { rows: indexes } = await client.query<IndexDefinition>(SELECT_INDEXES, [
      `roundhouse.${table.name}`,
    ]);
    for (const { drop } of indexes) await client.query(drop);
    const columns = stored.find(({ name }) => name === table.name) ?? table;
    for (const part of partsOf(table.name)) {
      await loadPart(client, columns, part);
      progress.onRows(part.rows);
    }
    for (const { create } of indexes) if (create !== null) await client.query(create);
    await client.query(`ANALYZE roundhouse.${table.name}`);
    progress.onTable(table.name);
  }
};

/** Waits for all work on these connections; throws the first error, after they have been cut off. */
export const allOrNone = async (
  clients: readonly Client[],
  work: readonly Promise<void>[],
): Promise<void> => {
  const errors: unknown[] = [];
  const cutOff = (error: unknown): void => {
    errors.push(error);
    for (const client of clients) client.connection.stream.destroy();
  };
  await Promise.all(work.map((each) => each.catch(cutOff)));
  if (errors.length > 0) throw errors[0];
};

/**
 * Fills the tables of an index without a head. The three connections load at the same time. Nothing is committed before all
 * rows are loaded and proven; the head is committed last, so an index without a head is all that an interruption leaves.
 * The tables belong to the role of the connections. Throws `SnapshotMismatchError`; after any error, end the connections.
 */
export const restoreTables = async (
  clients: Connections,
  snapshot: StoredSnapshot,
  progress: RestoreProgress,
): Promise<void> => {
  const [blocks, transactions] = LARGE_TABLES.map((name) =>
    SNAPSHOT_TABLES.filter((table) => table.name === name),
  );
  const others = SNAPSHOT_TABLES.filter(({ name }) => !LARGE_TABLES.includes(name));
  await allOrNone(Object.values(clients), [
    loadTables(clients.blocks, blocks!, snapshot, progress),
    loadTables(clients.transactions, transactions!, snapshot, progress),
    loadTables(clients.state, others, snapshot, progress),
  ]);
  const { claim } = snapshot;
  await proveState(clients, claim);
  // An indexer that starts between these commits finds block 1 stored, and can write nothing.
  await clients.blocks.query('COMMIT');
  await clients.transactions.query('COMMIT');
  await tellHead(clients.state, claim.head.height, claim.head.height);
  await notifyHead(clients.state, claim.head);
  await clients.state.query('COMMIT');
};
