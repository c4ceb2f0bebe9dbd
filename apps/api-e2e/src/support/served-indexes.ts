import type { RunningApi } from '@roundhouse/api';
import { randomChain } from '@roundhouse/testing';
import { startApi } from './api-under-test.js';
import { GrowingIndex } from './growing-index.js';
import { INSERT_DELEGATES } from './many-delegates.js';
import { recordedBlocks, type RecordedBlocks } from './recorded-blocks.js';
import { seedHistory } from './seed.js';
import { serveChain } from './served-chain.js';

/** It has transactions of all types. */
export const TRAFFIC = randomChain({ seed: 5, blocks: 160 });

export interface Served {
  readonly api: RunningApi;
  readonly stop: () => Promise<void>;
}

export const serveBlocks = async (
  { network, blocks }: RecordedBlocks,
  statements: readonly string[] = [],
  keepsHistory = true,
): Promise<Served> => {
  const index = await GrowingIndex.create(network, { keepsHistory });
  await index.apply(blocks);
  await index.certify();
  for (const statement of statements) await index.query(statement);
  const api = await startApi(index.url);
  return { api, stop: () => api.close().then(() => index.close()) };
};

/** More delegates than have a rank in lists that are not by rank. */
const serveManyDelegates = async (): Promise<Served> => {
  const served = await serveChain();
  await served.database.query(INSERT_DELEGATES, [6000, false]);
  await seedHistory(served.database);
  return served;
};

/** Together, their answers have null and a value at every place that may be null. */
export const INDEXES: readonly [string, () => Promise<Served>][] = [
  ['made by hand', serveChain],
  ['with many delegates', serveManyDelegates],
  ['of traffic of all types', () => serveBlocks(TRAFFIC)],
  ['at its beginning', () => serveBlocks({ ...TRAFFIC, blocks: TRAFFIC.blocks.slice(0, 3) })],
  [
    'of an earlier version, with transactions that say little or much',
    () =>
      serveBlocks(TRAFFIC, [
        'UPDATE head SET claims_height = 0',
        'UPDATE transactions SET network = NULL, expiration = 9',
      ]),
  ],
  ['of a real node of Core 2.4', () => serveBlocks(recordedBlocks('core-2.4-full'))],
  ['of a real node of Core 3.9', () => serveBlocks(recordedBlocks('core-3.9'))],
];
