import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { NetworkConfig } from '@roundhouse/forging';
import { gzipMember } from '@roundhouse/source';
import type { RawBlock } from '../chain/raw-block.js';

/**
 * Text is written in parcels of about this size, each a gzip member: one write per block would cost more than forging the
 * block.
 */
const PARCEL_CHARACTERS = 1 << 18;

/** Level 1 reaches two thirds of the best compression in a third of the time. */
const GZIP_LEVEL = 1;

/**
 * Writes blocks from height 1 as NDJSON, gzipped if the path ends in `.gz`; an indexer can read either from any height.
 * At most one parcel waits in memory. Calls `onProgress` with the height now and then. Returns the number of blocks.
 */
export const writeArchive = async (
  path: string,
  blocks: Iterable<RawBlock>,
  onProgress: (height: number) => void = () => undefined,
): Promise<number> => {
  const isGzipped = path.endsWith('.gz');
  const file = await open(path, 'w');
  let parcel = '';
  let count = 0;
  let place = { line: 1, offset: 0 };
  const write = async (): Promise<void> => {
    const lines = Buffer.from(parcel);
    const data = isGzipped ? await gzipMember(lines, place, GZIP_LEVEL) : lines;
    await file.appendFile(data);
    place = { line: count + 1, offset: place.offset + data.length };
    parcel = '';
  };
  try {
    for (const block of blocks) {
      parcel += `${JSON.stringify(block)}\n`;
      count += 1;
      if (parcel.length < PARCEL_CHARACTERS) continue;
      await write();
      onProgress(block.height);
    }
    if (parcel !== '') await write();
    return count;
  } finally {
    await file.close();
  }
};

/** The default network file of an archive: `chain.ndjson.gz` → `chain.network.json`. */
export const networkPathOf = (archivePath: string): string =>
  `${archivePath.replace(/\.gz$/, '').replace(/\.(nd)?jsonl?$/, '')}.network.json`;

export const writeNetwork = (path: string, network: NetworkConfig): void => {
  writeFileSync(path, `${JSON.stringify(network, null, 2)}\n`);
};
