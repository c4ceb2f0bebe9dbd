import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { readMigrationNames } from '@roundhouse/entities';
import { OperatorError } from '@roundhouse/config';
import {
  beginShared,
  columnsOf,
  copyRange,
  listPageRanges,
  proveState,
  readClaim,
  readNetwork,
  SNAPSHOT_TABLES,
  type IndexClaim,
  type PageRange,
} from '@roundhouse/storage';
import type { Client } from 'pg';
import { connectForWork, cutOff } from '../database/check-database.js';
import type { Manifest, ManifestPart } from './manifest.js';
import { CHUNK_BYTES } from './snapshot-file.js';
import { asOperatorError } from './mismatch.js';
import { SnapshotWriter } from './snapshot-writer.js';

/** Most of the bytes are hashes and signatures, which no level makes smaller. */
const GZIP = { level: 1, chunkSize: CHUNK_BYTES };

const MAX_CONNECTIONS = 4;

export interface CreatedSnapshot {
  readonly manifest: Omit<Manifest, 'format' | 'version'>;
  /** The size of the file. */
  readonly bytes: number;
}

type ManifestHead = Omit<Manifest, 'format' | 'version' | 'createdAt' | 'tables'>;

const readProvenClaim = async (client: Client): Promise<IndexClaim | null> => {
  try {
    const claim = await readClaim(client);
    if (claim !== null) await proveState({ blocks: client, transactions: client, state: client }, claim);
    return claim;
  } catch (error) {
    const next = '"indexer verify" lists what is wrong, and "indexer rebuild" corrects it.';
    throw asOperatorError(error, `No snapshot is made of a damaged index: ${next}`);
  }
};

/** What the index says of itself, proven from its rows. Throws `OperatorError`. */
const readHead = async (client: Client): Promise<ManifestHead> => {
  const claim = await readProvenClaim(client);
  if (claim === null) throw new OperatorError('The index is empty: there is nothing to make a snapshot of.');
  const { head, sums, digest, lowestUndo } = claim;
  const { network } = (await readNetwork(client))!;
  return {
    network: { name: network.name, nethash: network.nethash },
    head: { ...head, supply: head.supply.toString() },
    lowestUndo,
    sums,
    digest,
    schema: await readMigrationNames(client),
  };
};

/** Reads and compresses one part after the other from `waiting`, which other connections share. */
const writeParts = async (
  client: Client,
  waiting: Iterator<readonly [number, PageRange]> & Iterable<readonly [number, PageRange]>,
  writer: SnapshotWriter,
  onPart: (place: number, part: ManifestPart, range: PageRange) => void,
): Promise<void> => {
  for (const [place, range] of waiting) {
    const rows = copyRange(client, range);
    const chunks: Buffer[] = [];
    const hash = createHash('sha256');
    await pipeline(rows, createGzip(GZIP), async (gzipped: AsyncIterable<Buffer>) => {
      for await (const chunk of gzipped) {
        hash.update(chunk);
        chunks.push(chunk);
      }
    });
    const name = `${range.table}/${String(place).padStart(6, '0')}.copy.gz`;
    await writer.add(name, chunks);
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    onPart(place, { name, rows: rows.rowCount, bytes, sha256: hash.digest('hex') }, range);
  }
};

/**
 * Writes a snapshot of the index at one moment, while a writer may go on. `onPages` is called with the pages of the
 * tables that are done. Throws `OperatorError`; then there is no file.
 */
export const createSnapshot = async (
  databaseUrl: string,
  path: string,
  onPages: (done: number, of: number) => void,
  partPages?: number,
): Promise<CreatedSnapshot> => {
  const writer = await SnapshotWriter.open(path);
  const clients: Client[] = [];
  try {
    for (let count = Math.min(availableParallelism(), MAX_CONNECTIONS); count > 0; count -= 1)
      clients.push(await connectForWork(databaseUrl));
    await beginShared(clients);
    const about = await readHead(clients[0]!);
    const ranges = await listPageRanges(clients[0]!, partPages);
    const parts: ManifestPart[] = [];
    const pages = ranges.reduce((sum, { first, end }) => sum + end - first, 0);
    let done = 0;
    const onPart = (place: number, part: ManifestPart, { first, end }: PageRange): void => {
      parts[place] = part;
      onPages((done += end - first), pages);
    };
    const waiting = ranges.entries();
    await Promise.all(clients.map((client) => writeParts(client, waiting, writer, onPart)));
    const tables = SNAPSHOT_TABLES.map((table) => {
      const own = parts.filter((_, place) => ranges[place]!.table === table.name);
      const rows = own.reduce((sum, part) => sum + part.rows, 0);
      return { name: table.name, columns: columnsOf(table), rows, parts: own };
    });
    const manifest = { createdAt: new Date().toISOString(), ...about, tables };
    return { manifest, bytes: await writer.finish(manifest) };
  } catch (error) {
    await writer.drop();
    throw error;
  } finally {
    clients.forEach(cutOff);
  }
};
