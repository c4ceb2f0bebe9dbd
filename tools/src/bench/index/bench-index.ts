import { loadavg } from 'node:os';
import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import { chainFile, quietChain } from '../chain-files.js';
import type { IndexResults } from '../results.js';
import { median, rounded } from '../statistics.js';
import { printTable, thousands } from '../table.js';
import { flatnessOf } from './flatness.js';
import { migrateForIndexer, runIndexer, type IndexerRun } from './indexer-run.js';
import { plainCopy, writeRowFiles } from './plain-copy.js';
import { undoRun } from './undo-run.js';

const UNDO_BLOCKS = 1_000;

const inDatabase = async <T>(server: BenchServer, work: (url: string) => Promise<T>): Promise<T> => {
  const url = await server.createDatabase();
  try {
    return await work(url);
  } finally {
    await server.dropDatabase(url);
  }
};

const describe = (rates: readonly number[]): string[] => [
  thousands(median(rates)),
  `${thousands(Math.min(...rates))} – ${thousands(Math.max(...rates))}`,
];

interface Race {
  /** Rows per second, by run. */
  readonly ours: number[];
  readonly copy: number[];
  readonly runs: IndexerRun[];
}

/** The whole indexing and a COPY of the same rows, in turn. */
const race = async (server: BenchServer, options: BenchOptions): Promise<Race> => {
  const chain = await chainFile(options.cacheFolder, {
    name: 'busy',
    blocks: options.blocks,
    transactionsPerBlock: 1,
    isSigned: false,
  });
  const ours: number[] = [];
  const copy: number[] = [];
  const runs: IndexerRun[] = [];
  for (let turn = 1; turn <= options.repeats; turn += 1) {
    const files = await inDatabase(server, async (url) => {
      await migrateForIndexer(url, chain);
      runs.push(await runIndexer(url, chain));
      return writeRowFiles(url, `${chain.archive}.rows`);
    });
    ours.push((files.rows * 1_000) / runs.at(-1)!.indexMs);
    copy.push(await inDatabase(server, (url) => plainCopy(url, files)));
    console.log(
      `  run ${turn}: ours ${thousands(ours.at(-1)!)}, COPY ${thousands(copy.at(-1)!)} rows/s; load ${loadavg()[0]!.toFixed(1)}`,
    );
  }
  printTable(`${thousands(options.blocks)} blocks: rows/s`, [
    ['', 'median', 'least – most'],
    ['full indexing', ...describe(ours)],
    ['plain COPY', ...describe(copy)],
  ]);
  return { ours, copy, runs };
};

interface LongRun {
  readonly first: IndexerRun;
  readonly restart: IndexerRun;
  readonly undoMs: number;
}

const longRun = (server: BenchServer, options: BenchOptions): Promise<LongRun> =>
  inDatabase(server, async (url) => {
    const chain = await quietChain(options.cacheFolder, options.longBlocks);
    await migrateForIndexer(url, chain);
    const first = await runIndexer(url, chain);
    const restart = await runIndexer(url, chain);
    return { first, restart, undoMs: await undoRun(url, UNDO_BLOCKS) };
  });

/** Blocks per second with every signature verified; null if no signed chain is requested. */
const fullVerification = async (server: BenchServer, options: BenchOptions): Promise<number | null> => {
  if (options.signedBlocks === 0) return null;
  const chain = await chainFile(options.cacheFolder, {
    ...{ name: 'signed', blocks: options.signedBlocks, transactionsPerBlock: 0.05, isSigned: true },
    ...{ accounts: 200, delegates: 60 },
  });
  return inDatabase(server, async (url) => {
    await migrateForIndexer(url, chain);
    const { indexMs } = await runIndexer(url, chain, { VERIFY: 'full' });
    return (chain.blocks * 1_000) / indexMs;
  });
};

/** Measures indexing: against COPY, on a long chain, undoing, starting, verifying signatures. */
export const benchIndex = async (server: BenchServer, options: BenchOptions): Promise<IndexResults> => {
  const { ours, copy, runs } = await race(server, options);
  const long = await longRun(server, options);
  const fullBlocksPerSecond = await fullVerification(server, options);
  const peaks = [...runs, long.first].map((run) => run.peakRssMiB);
  const results: IndexResults = {
    ratioToCopy: rounded(median(ours) / median(copy), 3),
    flatness: rounded(flatnessOf(long.first.progress, options.longBlocks), 3),
    rssMiB: Math.round(Math.max(...peaks)),
    undo1000Ms: Math.round(long.undoMs),
    startMs: Math.round(long.restart.startMs),
  };
  printTable('Indexing', [
    ['ratioToCopy', String(results.ratioToCopy), 'at least 0.5'],
    ['flatness', String(results.flatness), 'at least 0.9'],
    ['rssMiB', String(results.rssMiB), 'below 400'],
    ['undo1000Ms', String(results.undo1000Ms), 'below 2000'],
    ['startMs', String(results.startMs), 'below 3000'],
    [
      'VERIFY=full, blocks/s',
      fullBlocksPerSecond === null ? '–' : thousands(fullBlocksPerSecond),
      'at least 4000',
    ],
  ]);
  return results;
};
