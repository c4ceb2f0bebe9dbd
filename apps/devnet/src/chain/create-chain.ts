import { closeSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeBlocks, type ChainMaker } from '@roundhouse/forging';
import { writeRecord, type ChainRecord } from './chain-record.js';
import { rawBlocks } from './raw-block.js';

export interface DevnetSettings {
  readonly seed: string;
  /** Seconds. */
  readonly blockTime: number;
  /** The number of blocks that the chain has after its first start. */
  readonly history: number;
  /** The folder of the chain. */
  readonly folder: string;
}

export interface ChainPaths {
  readonly blocks: string;
  readonly record: string;
}

export const chainPaths = (folder: string): ChainPaths => ({
  blocks: join(folder, 'chain.ndjson'),
  record: join(folder, 'devnet.json'),
});

const MS = 1000;
/** Used until the length of the chain in seconds is known. No id depends on it. */
const ANY_EPOCH = '2017-03-21T13:00:00.000Z';

/** Returns the timestamp of the last block. */
const writeHistory = (path: string, maker: ChainMaker, { blockTime, history }: DevnetSettings): number => {
  const file = openSync(path, 'w');
  let seconds = 0;
  try {
    const made = makeBlocks(maker, maker.emptyState({ epoch: ANY_EPOCH, blockTime }), history);
    for (const block of rawBlocks(made)) {
      writeSync(file, `${JSON.stringify(block)}\n`);
      seconds = block.timestamp;
    }
  } finally {
    closeSync(file);
  }
  return seconds;
};

/**
 * Forges the history and sets the epoch so that the last block is at the current time (`now`, milliseconds since
 * 1970). The record is written last: a folder without one holds no chain.
 */
export const createChain = (maker: ChainMaker, settings: DevnetSettings, now: number): ChainRecord => {
  const { seed, blockTime, folder } = settings;
  const paths = chainPaths(folder);
  mkdirSync(folder, { recursive: true });
  const seconds = writeHistory(`${paths.blocks}.new`, maker, settings);
  renameSync(`${paths.blocks}.new`, paths.blocks);
  const epoch = new Date((Math.floor(now / MS) - seconds) * MS).toISOString();
  const record = { seed, blockTime, epoch };
  writeRecord(paths.record, record);
  return record;
};
