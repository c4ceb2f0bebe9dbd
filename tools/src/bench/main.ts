import { resolve } from 'node:path';
import { startLocalPostgres } from '@roundhouse/local-postgres';
import { benchApi } from './api/bench-api.js';
import { databasesOf, readOptions, type Bench } from './bench.config.js';
import { benchIndex } from './index/bench-index.js';
import { saveResults } from './results.js';
import { benchScale } from './scale/bench-scale.js';
import { benchTip } from './tip/bench-tip.js';

/**
 * Settings of a modest real server. Durability is PostgreSQL's default (fsync, synchronous commits) for all
 * contestants.
 */
const SERVER_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  maintenance_work_mem: '256MB',
  search_path: 'roundhouse,public',
};

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<object>>> = {
  index: async (bench) => ({ index: await benchIndex(bench) }),
  tip: benchTip,
  api: async (bench) => ({ api: await benchApi(bench) }),
  scale: benchScale,
};

const options = readOptions(process.argv.slice(2));
// The scale takes hours, so it runs only by its name.
const parts = options.part === 'all' ? ['index', 'tip', 'api'] : [options.part];
const postgres = await startLocalPostgres({ settings: SERVER_SETTINGS });
try {
  const bench = { ...options, withDatabase: databasesOf(postgres) };
  for (const part of parts) saveResults(options.results, await PARTS[part]!(bench));
} finally {
  await postgres.remove();
}
console.log(
  `\nWritten to ${resolve(options.results)}. "npm run generate" shows the figures of bench/results/latest.json in docs/performance.md.`,
);
