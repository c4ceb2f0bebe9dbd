import type { Network } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { createSqlViews, hasSqlViews, schemaStateOf } from '@roundhouse/entities';
import {
  columnsOf,
  findNewestBlock,
  ownsTables,
  readNetwork,
  readPosition,
  restoreTables,
  snapshotTablesOf,
} from '@roundhouse/storage';
import type { Client } from 'pg';
import { connectForWork, cutOff } from '../database/check-database.js';
import { underWriterLock } from '../leader/writer-lock.js';
import { asOperatorError } from './mismatch.js';
import type { Manifest } from './manifest.js';
import type { SnapshotFile } from './snapshot-file.js';

const assertSameNetwork = ({ network: { name, nethash } }: Manifest, other: string, holder: string): void => {
  if (nethash === other) return;
  throw new OperatorError(
    `The snapshot is of the chain ${name} with nethash ${nethash}, but ${holder} has nethash ${other}: name another snapshot, ` +
      `or correct what names the chain.`,
  );
};

/** Throws unless the file has the tables and columns of this version. */
const assertSameSchema = ({ schema, tables, version }: Manifest): void => {
  const state = schemaStateOf(schema);
  if (state.kind === 'obsolete') {
    throw new OperatorError(
      'The snapshot is of an index of an older version, whose tables this version cannot read: take a snapshot with this version, or ' +
        'index again.',
    );
  }
  if (state.kind === 'newer') {
    throw new OperatorError(
      `The snapshot was made by a newer version of Roundhouse (it has the migration ${state.unknown.join(', ')}): use that version.`,
    );
  }
  const expected = snapshotTablesOf(schema, version).map((table) => [table.name, columnsOf(table)]);
  const found = tables.map(({ name, columns }) => [name, columns]);
  // A migration need not change a table.
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  const lacks = state.kind === 'older' ? state.missing.join(', ') : 'other columns';
  throw new OperatorError(
    `The snapshot was made by an older version of Roundhouse, with other tables (${lacks}): restore it ` +
      `with that version and run "indexer migrate" of this one, or take a newer snapshot.`,
  );
};

/** Throws unless the database is empty; what an interrupted restore of the same snapshot has left counts as empty. */
const assertEmpty = async (client: Client, { head }: Manifest): Promise<void> => {
  const newest = await findNewestBlock(client);
  if (newest === null || (newest.height === head.height && newest.id === head.id)) return;
  throw new OperatorError(
    `The tables hold blocks up to height ${newest.height}, but no head, and they are not of this snapshot: "indexer rebuild" makes a ` +
      `head from them; "indexer reset --yes" removes them.`,
  );
};

/** Throws `OperatorError` if the snapshot cannot be restored here; changes nothing. */
const assertRestorable = async (
  client: Client,
  manifest: Manifest,
  network: Network | null,
): Promise<void> => {
  if (network !== null) assertSameNetwork(manifest, network.nethash, `NETWORK (${network.name})`);
  assertSameSchema(manifest);
  if (!(await ownsTables(client))) {
    throw new OperatorError(
      'Only the owner of the tables can restore a snapshot: use the DATABASE_URL with which "indexer migrate" runs.',
    );
  }
  const { head } = await readPosition(client);
  if (head !== null) {
    throw new OperatorError(
      `The index is at height ${head.height} already, and a snapshot is restored into an empty one: name another database, or ` +
        `empty this one with "indexer reset --yes".`,
    );
  }
  await assertEmpty(client, manifest);
  const stored = await readNetwork(client);
  if (stored !== null) assertSameNetwork(manifest, stored.network.nethash, 'the database');
};

export interface RestoreEvents {
  readonly onBytes: (done: number, of: number) => void;
  readonly onRows: (done: number, of: number) => void;
  readonly onTables: (done: number, of: number) => void;
}

/** Loads the parts, on connections of its own and on the one that holds the writer's lock. */
const load = async (
  databaseUrl: string,
  state: Client,
  file: SnapshotFile,
  { onRows, onTables }: RestoreEvents,
): Promise<void> => {
  const { head, sums, digest, tables, schema, version } = file.manifest;
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  const blocks = await connectForWork(databaseUrl);
  const transactions = await connectForWork(databaseUrl);
  let [rowsDone, tablesDone] = [0, 0];
  try {
    await restoreTables(
      { blocks, transactions, state },
      {
        tables: snapshotTablesOf(schema, version),
        claim: { head: { ...head, supply: BigInt(head.supply) }, sums, digest },
        partsOf: (table) =>
          (tables.find(({ name }) => name === table)?.parts ?? []).map((part) => ({
            rows: part.rows,
            open: () => file.openPart(part),
          })),
      },
      {
        onRows: (rows) => onRows((rowsDone += rows), total),
        onTable: () => onTables((tablesDone += 1), tables.length),
      },
    );
  } catch (error) {
    throw asOperatorError(error, 'Nothing is restored: take another snapshot.');
  } finally {
    [blocks, transactions].forEach(cutOff);
  }
};

/**
 * Fills an empty index from a snapshot. Everything that can be wrong with file and database is checked before a table is
 * touched, and nothing is committed before the rows are proven. Throws `OperatorError`.
 */
export const restoreSnapshot = async (
  databaseUrl: string,
  file: SnapshotFile,
  network: Network | null,
  events: RestoreEvents,
): Promise<void> => {
  await underWriterLock(databaseUrl, 'snapshot restore', async (client) => {
    await assertRestorable(client, file.manifest, network);
    await file.check(events.onBytes);
    await load(databaseUrl, client, file, events);
    // Their indexes hold texts of other tables, which are committed only now.
    if (await hasSqlViews(client)) await createSqlViews(client);
  });
};
