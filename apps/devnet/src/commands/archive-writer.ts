import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { NetworkConfig } from '../network/devnet-network.js';
import type { RawBlock } from '../chain/raw-block.js';

/** Lines are written in chunks of about this size: one write per block would cost more than forging the block. */
const PARCEL_CHARACTERS = 1 << 18;

/** Level 1 reaches two thirds of the best compression in a third of the time. */
const GZIP = { level: 1 };

const openTarget = (path: string): { entry: Writable; file: Writable } => {
  const file = createWriteStream(path);
  if (!path.endsWith('.gz')) return { entry: file, file };
  const entry = createGzip(GZIP);
  entry.pipe(file);
  return { entry, file };
};

/**
 * Writes blocks as NDJSON, gzipped if the path ends in `.gz`. At most one chunk waits in memory. Calls `onProgress`
 * with the height now and then. Returns the number of blocks.
 */
export const writeArchive = async (
  path: string,
  blocks: Iterable<RawBlock>,
  onProgress: (height: number) => void = () => undefined,
): Promise<number> => {
  const { entry, file } = openTarget(path);
  const done = finished(file);
  // It is awaited below. Until then a failure must not count as an unhandled rejection.
  done.catch(() => undefined);
  let parcel = '';
  let count = 0;
  for (const block of blocks) {
    parcel += `${JSON.stringify(block)}\n`;
    count += 1;
    if (parcel.length < PARCEL_CHARACTERS) continue;
    if (!entry.write(parcel)) await Promise.race([once(entry, 'drain'), done]);
    parcel = '';
    onProgress(block.height);
  }
  entry.end(parcel);
  await done;
  return count;
};

/** The default network file of an archive: `chain.ndjson.gz` → `chain.network.json`. */
export const networkPathOf = (archivePath: string): string =>
  `${archivePath.replace(/\.gz$/, '').replace(/\.(nd)?jsonl?$/, '')}.network.json`;

export const writeNetwork = (path: string, network: NetworkConfig): void => {
  writeFileSync(path, `${JSON.stringify(network, null, 2)}\n`);
};
