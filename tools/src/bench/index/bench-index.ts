import { loadavg } from 'node:os';
import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import { chainFile, quietChain } from '../chain-files.js';
import type { IndexResults, SizeResults } from '../results.js';
import { median, rounded } from '../statistics.js';
import { printTable, thousands } from '../table.js';
import { flatnessOf } from './flatness.js';
import { migrateForIndexer, runIndexer, type IndexerRun } from './indexer-run.js';
import { nodeRestore, nodeRowFiles } from './node-restore.js';
import { ormLoop } from './orm-loop.js';
import { plainCopy } from './plain-copy.js';
import { rowFiles } from './row-files.js';
import { tableSizes, type TableSizes } from './table-sizes.js';
import { undoRun } from './undo-run.js';

/** Rows per second of each contestant, by run. */
interface Rates {
  readonly ours: number[];
  readonly copy: number[];
  readonly node: number[];
  readonly orm: number[];
}

interface Race {
  readonly rates: Rates;
  readonly runs: readonly IndexerRun[];
  /** After the last runs. */
  readonly ours: TableSizes;
  readonly node: TableSizes;
}

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

const sizesOf = ({ ours, node }: Race): SizeResults => ({
  ratioToNode: rounded(ours.total / node.total, 3),
  bytesPerBlock: Math.round(ours.perBlock),
  bytesPerBlockOfNode: Math.round(node.perBlock),
  bytesPerTransfer: Math.round(ours.perTransfer),
  bytesPerTransferOfNode: Math.round(node.perTransfer),
});

const race = async (server: BenchServer, options: BenchOptions): Promise<Race> => {
  const chain = chainFile(options.cacheFolder, {
    name: 'busy',
    blocks: options.blocks,
    transactionsPerBlock: 1,
    isSigned: false,
  });
  const files = await rowFiles(chain);
  const nodeFiles = await nodeRowFiles(chain);
  const rates: Rates = { ours: [], copy: [], node: [], orm: [] };
  const runs: IndexerRun[] = [];
  const sizes: { ours?: TableSizes; node?: TableSizes } = {};
  for (let turn = 1; turn <= options.repeats; turn += 1) {
    rates.copy.push(await inDatabase(server, (url) => plainCopy(url, files)));
    await inDatabase(server, async (url) => {
      migrateForIndexer(url, chain);
      const run = await runIndexer(url, chain);
      runs.push(run);
      rates.ours.push((files.rows * 1_000) / run.indexMs);
      sizes.ours = await tableSizes(url);
    });
    await inDatabase(server, async (url) => {
      rates.node.push(await nodeRestore(url, nodeFiles));
      sizes.node = await tableSizes(url);
    });
    rates.orm.push(await inDatabase(server, (url) => ormLoop(url, chain.archive, options.ormBlocks)));
    console.log(
      `  run ${turn}: ours ${thousands(rates.ours.at(-1)!)}, COPY ${thousands(rates.copy.at(-1)!)}, ` +
        `node's tables ${thousands(rates.node.at(-1)!)}, ORM ${thousands(rates.orm.at(-1)!)} rows/s; load ${loadavg()[0]!.toFixed(1)}`,
    );
  }
  printTable(`${thousands(options.blocks)} blocks, ${thousands(files.rows)} rows: rows/s`, [
    ['', 'median', 'least – most'],
    ['full indexing', ...describe(rates.ours)],
    ['plain COPY', ...describe(rates.copy)],
    ["a node's tables, then their indexes", ...describe(rates.node)],
    ['ORM loop', ...describe(rates.orm)],
  ]);
  return { rates, runs, ours: sizes.ours!, node: sizes.node! };
};

interface LongRun {
  readonly first: IndexerRun;
  readonly restart: IndexerRun;
  readonly undoMs: number;
  readonly copyRate: number;
  readonly rate: number;
}

const longRun = async (server: BenchServer, options: BenchOptions): Promise<LongRun> => {
  const chain = quietChain(options.cacheFolder, options.longBlocks);
  const files = await rowFiles(chain);
  const copyRate = await inDatabase(server, (url) => plainCopy(url, files));
  return inDatabase(server, async (url) => {
    migrateForIndexer(url, chain);
    const first = await runIndexer(url, chain);
    const restart = await runIndexer(url, chain);
    const undoMs = await undoRun(url, UNDO_BLOCKS);
    return { first, restart, undoMs, copyRate, rate: (files.rows * 1_000) / first.indexMs };
  });
};

/** Blocks per second with every signature verified; null if no signed chain is requested. */
const fullVerification = async (server: BenchServer, options: BenchOptions): Promise<number | null> => {
  if (options.signedBlocks === 0) return null;
  const chain = chainFile(options.cacheFolder, {
    ...{ name: 'signed', blocks: options.signedBlocks, transactionsPerBlock: 0.05, isSigned: true },
    ...{ accounts: 200, delegates: 60 },
  });
  return inDatabase(server, async (url) => {
    migrateForIndexer(url, chain);
    const { indexMs } = await runIndexer(url, chain, { VERIFY: 'full' });
    return (chain.blocks * 1_000) / indexMs;
  });
};

/** Measures indexing: against COPY and the ORM, on a long chain, undoing, starting, verifying signatures. */
export const benchIndex = async (server: BenchServer, options: BenchOptions): Promise<IndexResults> => {
  const raced = await race(server, options);
  const { rates, runs } = raced;
  const long = await longRun(server, options);
  const fullBlocksPerSecond = await fullVerification(server, options);
  const peaks = [...runs, long.first].map((run) => run.peakRssMiB);
  const results: IndexResults = {
    ratioToCopy: rounded(median(rates.ours) / median(rates.copy), 3),
    ratioToNodeRestore: rounded(median(rates.ours) / median(rates.node), 3),
    timesOrm: rounded(median(rates.ours) / median(rates.orm), 1),
    flatness: rounded(flatnessOf(long.first.progress, options.longBlocks), 3),
    rssMiB: Math.round(Math.max(...peaks)),
    undo1000Ms: Math.round(long.undoMs),
    startMs: Math.round(long.restart.startMs),
    size: sizesOf(raced),
  };
  const { size } = results;
  printTable('Indexing', [
    ['ratioToCopy', String(results.ratioToCopy), 'at least 0.5'],
    ['ratioToNodeRestore', String(results.ratioToNodeRestore), 'at least 1'],
    ["size, as a share of the node's", String(size.ratioToNode), 'at most 0.5'],
    ['bytes per block', `${size.bytesPerBlock} (node ${size.bytesPerBlockOfNode})`, ''],
    ['bytes per transfer', `${size.bytesPerTransfer} (node ${size.bytesPerTransferOfNode})`, ''],
    ['timesOrm', String(results.timesOrm), 'at least 20'],
    ['flatness', String(results.flatness), 'at least 0.9'],
    ['rssMiB', String(results.rssMiB), 'below 400'],
    ['undo1000Ms', String(results.undo1000Ms), 'below 2000'],
    ['startMs', String(results.startMs), 'below 3000'],
    [`ratio to COPY on ${thousands(options.longBlocks)} blocks`, (long.rate / long.copyRate).toFixed(3), ''],
    [
      'VERIFY=full, blocks/s',
      fullBlocksPerSecond === null ? '–' : thousands(fullBlocksPerSecond),
      'at least 4000',
    ],
  ]);
  return results;
};
