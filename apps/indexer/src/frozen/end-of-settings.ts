import type { BlockRef } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { readMissingIndexes } from '@roundhouse/entities';
import {
  adviceToReach,
  readChainEnd,
  readPosition,
  readUndoReach,
  settleChainEnd,
  writeChainEnd,
} from '@roundhouse/storage';
import type { Client, Pool } from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Environment } from '../command-line/command.js';
import { checkDatabase, onDatabase } from '../database/check-database.js';
import { indexerSettings, type IndexerSettings } from '../indexer.config.js';

const WITHOUT_SOURCE: typeof indexerSettings = {
  ...indexerSettings,
  BLOCK_SOURCE: { ...indexerSettings.BLOCK_SOURCE, schema: z.string().default('') as never },
};

/**
 * Reads the settings by `read`, whose errors it throws, with the end that the tables have. The source may be missing if there is
 * an end: then it is needed only until the index is there.
 */
export const readEndableSettings = async (
  read: (settings: typeof indexerSettings) => Promise<IndexerSettings>,
  { FINAL_HEIGHT }: Environment,
): Promise<IndexerSettings> => {
  const settings = await read(WITHOUT_SOURCE).catch(async (error: unknown) => {
    // Names all that is wrong, a missing source, too.
    if (Number(FINAL_HEIGHT ?? 0) === 0) await read(indexerSettings);
    throw error;
  });
  const known = await withKnownEnd(settings);
  return known.FINAL_HEIGHT || known.BLOCK_SOURCE !== '' ? known : read(indexerSettings);
};

/** An end that the tables have stays until FINAL_HEIGHT names another one, or none by 0. Throws `OperatorError`. */
export const withKnownEnd = async (settings: IndexerSettings): Promise<IndexerSettings> => {
  const { DATABASE_URL, FINAL_HEIGHT } = settings;
  if (FINAL_HEIGHT !== undefined) return settings;
  await checkDatabase(DATABASE_URL);
  const end = await onDatabase(DATABASE_URL, readChainEnd);
  return end === null ? settings : { ...settings, FINAL_HEIGHT: end.height };
};

type EndSettings = Pick<IndexerSettings, 'FINAL_HEIGHT' | 'FINAL_BLOCK_ID' | 'DATABASE_URL' | 'BLOCK_SOURCE'>;

/** How an operator is told of another block than FINAL_BLOCK_ID. */
export const wrongBlock = ({ height, id }: BlockRef, wanted: string): string =>
  `The index has block ${id} at FINAL_HEIGHT=${height}, but FINAL_BLOCK_ID is ${wanted}: one of them is of another branch. ` +
  `Correct FINAL_BLOCK_ID, or name a BLOCK_SOURCE that has that block.`;

const isThere = async (client: Client, height: number, wanted: string | undefined): Promise<boolean> => {
  const end = await readChainEnd(client);
  if (end !== null && end.height === height && end.id !== null) {
    if (wanted === undefined || wanted === end.id) return true;
    throw new OperatorError(
      `${wrongBlock({ height, id: end.id }, wanted)} Nothing was changed; with FINAL_HEIGHT=0 the index follows its source again.`,
    );
  }
  const { head } = await readPosition(client);
  if (head === null || head.height !== height || head.id !== wanted) return false;
  if ((await readMissingIndexes(client)).length > 0) return false;
  // The operator knows the block, so no source has to confirm it.
  await writeChainEnd(client, height);
  return settleChainEnd(client, head);
};

/**
 * Whether the index has the last block of its chain for good, so that it needs no source. Throws `OperatorError` if the
 * settings contradict it or each other, or if the source that is needed is missing.
 */
export const isAtEnd = async (settings: EndSettings): Promise<boolean> => {
  const { FINAL_HEIGHT: height, FINAL_BLOCK_ID: id, DATABASE_URL, BLOCK_SOURCE } = settings;
  if (!height) {
    if (id === undefined) return false;
    throw new OperatorError('FINAL_BLOCK_ID says which block FINAL_HEIGHT is: set FINAL_HEIGHT, too.');
  }
  await checkDatabase(DATABASE_URL);
  const isOver = await onDatabase(DATABASE_URL, (client) => isThere(client, height, id));
  if (isOver || BLOCK_SOURCE !== '') return isOver;
  throw new OperatorError(
    `BLOCK_SOURCE must be set until the index has the block at FINAL_HEIGHT=${height} for good; "indexer status" shows how far it is.`,
  );
};

/** Throws `OperatorError` if the index is above the end already. */
const assertNotAbove = async (pool: Pool, height: number): Promise<void> => {
  const reach = await readUndoReach(pool);
  if (reach === null || reach.head.height <= height) return;
  const first = height < reach.lowest ? `first ${adviceToReach(height, reach)}, then` : 'run';
  throw new OperatorError(
    `The index is at height ${reach.head.height}, above FINAL_HEIGHT=${height}: nothing was changed. If the chain ends at ${height}, stop the ` +
      `indexers and ${first} "indexer rollback --to ${height} --yes", or restore a snapshot from below; otherwise correct FINAL_HEIGHT.`,
  );
};

/** Tells all programs, through the tables, where the chain ends, or that it lives. Throws `OperatorError`. */
export const planEnd = async (
  pool: Pool,
  { FINAL_HEIGHT: height }: EndSettings,
  logger: Logger,
): Promise<void> => {
  if (height === undefined) return;
  const before = await readChainEnd(pool);
  if (height > 0) await assertNotAbove(pool, height);
  await writeChainEnd(pool, height || null);
  if (height > 0) logger.info({ height }, 'FINAL_HEIGHT: no block above it is indexed; 0 takes that back');
  if (before !== null && before.height !== height)
    logger.warn(
      { height: before.height },
      'FINAL_HEIGHT: the chain no longer ends at this height. Empty the caches of the API if that end was proven',
    );
};
