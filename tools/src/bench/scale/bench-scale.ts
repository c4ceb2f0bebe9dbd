import { loadavg } from 'node:os';
import pg from 'pg';
import { NO_CACHE, CACHE_MAX_BYTES, startApi } from '../api/api-process.js';
import { growthOf } from '../api/growth.js';
import { readParameters } from '../api/parameters.js';
import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import { chainFile, type ChainFile } from '../chain-files.js';
import { flatnessOf } from '../index/flatness.js';
import { followChain, migrateForIndexer, runIndexer } from '../index/indexer-run.js';
import { undoRun } from '../index/undo-run.js';
import type { ScaleResults } from '../results.js';
import { median, rounded } from '../statistics.js';
import { printTable, thousands } from '../table.js';
import { heightWhileStreaming } from './streams.js';

const UNDO_BLOCKS = 1_000;
const SHORT_BLOCKS = 10_000;
/** With it, one delegate of 5 million blocks has more than 100,000 voters. */
const POPULARITY = 0.85;
/** How often the api is started; the median counts. */
const API_STARTS = 5;
const GIGABYTE = 1e9;
const MIB = 2 ** 20;

const scaleChain = (options: BenchOptions, blocks: number): Promise<ChainFile> =>
  chainFile(options.cacheFolder, {
    name: `scale-${options.scaleAccounts}-${options.scaleDelegates}`,
    blocks,
    transactionsPerBlock: 1,
    isSigned: false,
    accounts: options.scaleAccounts,
    delegates: options.scaleDelegates,
    popularity: POPULARITY,
  });

type Contents = Pick<ScaleResults, 'transactions' | 'accounts' | 'gigabytes' | 'tables'>;

const SELECT_TABLES = `
SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY bytes DESC`;

const contentsOf = async (databaseUrl: string): Promise<Contents> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const counts = await client.query<{ transactions: number; accounts: number }>(
      `SELECT (SELECT count(*) FROM transactions)::integer AS transactions, (SELECT count(*) FROM accounts)::integer AS accounts`,
    );
    const { rows } = await client.query<{ name: string; bytes: number }>(SELECT_TABLES);
    return {
      ...counts.rows[0]!,
      gigabytes: rounded(rows.reduce((sum, { bytes }) => sum + bytes, 0) / GIGABYTE, 2),
      tables: Object.fromEntries(rows.slice(0, 8).map(({ name, bytes }) => [name, Math.round(bytes / MIB)])),
    };
  } finally {
    await client.end();
  }
};

type Served = Pick<ScaleResults, 'apiStartMs' | 'growth' | 'streams'>;

const apiStartMs = async (databaseUrl: string): Promise<number> => {
  const times: number[] = [];
  for (let start = 1; start <= API_STARTS; start += 1) {
    const api = await startApi(databaseUrl, CACHE_MAX_BYTES);
    times.push(api.startMs);
    await api.stop();
  }
  return Math.round(median(times));
};

const serve = async (server: BenchServer, options: BenchOptions, databaseUrl: string): Promise<Served> => {
  const startMs = await apiStartMs(databaseUrl);
  const warm = await startApi(databaseUrl, CACHE_MAX_BYTES);
  const streams = await heightWhileStreaming(warm, databaseUrl, options);
  await warm.stop();
  const bare = await startApi(databaseUrl, NO_CACHE);
  try {
    const parameters = await readParameters(databaseUrl);
    const short = await scaleChain(options, SHORT_BLOCKS);
    const growth = await growthOf(server, options, bare, parameters, short);
    return { apiStartMs: startMs, growth, streams };
  } finally {
    await bare.stop();
  }
};

const print = (results: ScaleResults): void => {
  const { streams } = results;
  printTable(`${thousands(results.blocks)} blocks, load ${loadavg()[0]!.toFixed(1)}`, [
    ['transactions', thousands(results.transactions), 'at least 5,000,000'],
    ['accounts', thousands(results.accounts), 'at least 400,000'],
    ['generated in s', String(results.generateSeconds), 'at most 1,200'],
    ['indexed in s', String(results.indexSeconds), ''],
    ['flatness', String(results.flatness), 'at least 0.9'],
    ['rssMiB', String(results.rssMiB), 'at most 512'],
    ['startMs', String(results.startMs), 'at most 3,000'],
    ['undo1000Ms', String(results.undo1000Ms), 'at most 2,000'],
    ['GB', String(results.gigabytes), ''],
    ['apiStartMs', String(results.apiStartMs), 'at most 1,500'],
    ...Object.entries(results.tables).map(([name, size]) => [`${name}, MiB`, thousands(size), '']),
    ...Object.entries(results.growth).map(([name, ratio]) => [name, ratio.toFixed(2), 'at most 1.2']),
    [`lists of ${thousands(streams.voters)} voters per s`, String(streams.listsPerSecond), ''],
    ['getHeight meanwhile, p99 ms', String(streams.getHeightP99Ms), 'at most 50'],
    ['api rssMiB', String(streams.rssMiB), 'at most 512'],
  ]);
};

/** Measures a chain of a mainnet's size: indexing it from an archive, and serving it. Takes hours. */
export const benchScale = async (server: BenchServer, options: BenchOptions): Promise<ScaleResults> => {
  const began = performance.now();
  const chain = await scaleChain(options, options.scaleBlocks);
  const generateSeconds = Math.round((performance.now() - began) / 1_000);
  const url = await server.createDatabase();
  try {
    await migrateForIndexer(url, chain);
    const first = await runIndexer(url, chain);
    const contents = await contentsOf(url);
    const indexSeconds = Math.round(first.indexMs / 1_000);
    const flatness = rounded(flatnessOf(first.progress, chain.blocks), 3);
    console.log(`  indexed in ${indexSeconds} s, flatness ${flatness}, ${Math.round(first.peakRssMiB)} MiB`);
    const { startMs, served } = await followChain(url, chain, {}, async (restart) => ({
      startMs: restart.startMs,
      served: await serve(server, options, url),
    }));
    const results: ScaleResults = {
      blocks: chain.blocks,
      ...contents,
      generateSeconds,
      indexSeconds,
      flatness,
      rssMiB: Math.round(first.peakRssMiB),
      startMs: Math.round(startMs),
      undo1000Ms: Math.round(await undoRun(url, UNDO_BLOCKS)),
      ...served,
    };
    print(results);
    return results;
  } finally {
    await server.dropDatabase(url);
  }
};
