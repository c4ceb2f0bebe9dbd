import { availableParallelism } from 'node:os';
import { readMigrationNames } from '@roundhouse/entities';
import { OperatorError } from '@roundhouse/config';
import {
  beginShared,
  countRows,
  findBlockId,
  proveState,
  readClaim,
  readNetwork,
  SNAPSHOT_TABLES,
  type IndexClaim,
} from '@roundhouse/storage';
import type { Client } from 'pg';
import { connectForWork, cutOff } from '../database/check-database.js';
import { bytesOf, partsOf, type ManifestTable } from './manifest.js';
import type { SecretKey } from './minisign.js';
import { asOperatorError } from './mismatch.js';
import { SnapshotFolder, type ManifestHead, type NewManifest } from './snapshot-folder.js';
import { keptTables, writeTables } from './write-tables.js';

const MAX_CONNECTIONS = 4;

/** How many heights a part has: a part of ordinary blocks is some ten MiB. */
const RANGE_HEIGHTS = 100_000;

export interface CreateOptions {
  /** Rows of the tables that are in the snapshot. */
  readonly onRows?: (done: number, of: number) => void;
  /** Signs the manifest. */
  readonly key?: SecretKey | null;
  readonly rangeHeights?: number;
}

export interface CreatedSnapshot {
  readonly manifest: NewManifest;
  /** Of all parts. */
  readonly bytes: number;
  /** Of the parts that were not there before. */
  readonly newBytes: number;
}

const readProvenClaim = async (client: Client): Promise<IndexClaim> => {
  try {
    const claim = await readClaim(client);
    if (claim === null)
      throw new OperatorError('The index is empty: there is nothing to make a snapshot of.');
    await proveState({ blocks: client, transactions: client, state: client }, claim);
    return claim;
  } catch (error) {
    const next = '"indexer verify" lists what is wrong, and "indexer rebuild" corrects it.';
    throw asOperatorError(error, `No snapshot is made of a damaged index: ${next}`);
  }
};

/** What the index says of itself, proven from its rows. Throws `OperatorError`. */
const readHead = async (client: Client, rangeHeights: number): Promise<ManifestHead> => {
  const { head, sums, digest, lowestUndo, holds } = await readProvenClaim(client);
  const { network } = (await readNetwork(client))!;
  const height = Math.floor(lowestUndo / rangeHeights) * rangeHeights;
  const id = await findBlockId(client, height);
  return {
    network: { name: network.name, nethash: network.nethash },
    head: { ...head, supply: head.supply.toString() },
    lowestUndo,
    sums,
    digest,
    schema: await readMigrationNames(client),
    holds,
    rangeHeights,
    final: id === null ? null : { height, id },
  };
};

const rowsOf = (tables: readonly ManifestTable[]): number => tables.reduce((sum, { rows }) => sum + rows, 0);

/** Throws `OperatorError` unless the snapshot has as many rows as the index. */
const assertAllRows = (tables: readonly ManifestTable[], counts: ReadonlyMap<string, number>): void => {
  for (const { name, rows } of tables) {
    if (rows === counts.get(name)) continue;
    throw new OperatorError(
      `The snapshot has ${rows} rows of ${name}, but the index has ${counts.get(name)}: parts that were there are of an earlier state ` +
        `of the index. Name another folder: all rows are read for it.`,
    );
  }
};

/** Only a folder can go on after an interruption, and share parts with the next snapshot. */
const assertFolder = (path: string): void => {
  const folder = path.replace(/\.tar$/, '');
  if (folder === path) return;
  throw new OperatorError(
    `A snapshot is written into a folder: run "indexer snapshot create --file ${folder}", then "tar -cf ${path} -C ${folder} .", which ` +
      `makes one file of it.`,
  );
};

/**
 * Writes a snapshot of the index at one moment, while a writer may go on, into a folder, which may hold an earlier one.
 * Throws `OperatorError`. After an interruption, the same call goes on with the parts that are complete.
 */
export const createSnapshot = async (
  databaseUrl: string,
  path: string,
  { onRows, key = null, rangeHeights = RANGE_HEIGHTS }: CreateOptions = {},
): Promise<CreatedSnapshot> => {
  assertFolder(path);
  const folder = await SnapshotFolder.open(path);
  const clients: Client[] = [];
  try {
    for (let count = Math.min(availableParallelism(), MAX_CONNECTIONS); count > 0; count -= 1)
      clients.push(await connectForWork(databaseUrl));
    await beginShared(clients);
    const client = clients[0]!;
    const head = await readHead(client, rangeHeights);
    const kept = await keptTables(client, folder, head);
    const counts = new Map<string, number>();
    for (const table of SNAPSHOT_TABLES) counts.set(table.name, await countRows(client, table));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const tables = await writeTables(clients, folder, head, kept, counts, (written) =>
      onRows?.(rowsOf(written), total),
    );
    assertAllRows(tables, counts);
    const manifest = { ...head, tables };
    const known = new Set(folder.before.flatMap(partsOf).map(({ name }) => name));
    await folder.finish(manifest, key);
    const parts = partsOf(manifest);
    const newBytes = bytesOf(parts.filter(({ name }) => !known.has(name)));
    return { manifest, bytes: bytesOf(parts), newBytes };
  } finally {
    clients.forEach(cutOff);
    await folder.close();
  }
};
