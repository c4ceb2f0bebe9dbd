import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { devnetNetwork } from '@roundhouse/forging';
import { chainPaths } from '../chain/create-chain.js';
import { readRecord } from '../chain/chain-record.js';
import type { RawBlock } from '../chain/raw-block.js';
import { readLines } from '../chain/read-lines.js';
import { DevnetError } from '../devnet.error.js';
import { networkPathOf, writeArchive, writeNetwork } from './archive-writer.js';

export interface ExportOptions {
  readonly dataDir: string;
  /** The path of the archive; gzipped if it ends in `.gz`. */
  readonly to: string;
  /** The path of the network file. (Default: beside the archive) */
  readonly network?: string | undefined;
}

function* readBlocks(file: number): Generator<RawBlock> {
  for (const { text } of readLines(file)) yield JSON.parse(text) as RawBlock;
}

/**
 * Writes the devnet's current chain, whether it is running or not, and its network file. Returns the number of
 * blocks.
 */
export const exportChain = async ({ dataDir, to, network }: ExportOptions): Promise<number> => {
  const paths = chainPaths(join(dataDir, 'devnet'));
  const record = readRecord(paths.record);
  if (!record)
    throw new DevnetError(`There is no devnet chain in ${dataDir}. Start the devnet, or set DATA_DIR.`);
  const file = openSync(paths.blocks, 'r');
  try {
    const [genesis] = readBlocks(file);
    if (!genesis)
      throw new DevnetError(`The chain in ${dataDir} is empty. Remove its "devnet" folder and start again.`);
    writeNetwork(network ?? networkPathOf(to), devnetNetwork(genesis.payloadHash, record));
    return await writeArchive(to, readBlocks(file));
  } finally {
    closeSync(file);
  }
};
