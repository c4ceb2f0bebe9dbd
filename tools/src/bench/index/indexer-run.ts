import { freePort, runApp } from '@roundhouse/local-postgres';
import pg from 'pg';
import type { ChainFile } from '../chain-files.js';
import { startProgram } from '../program.js';

/** A height that the index reached, and the ms since the indexer began its work. */
export interface Progress {
  readonly height: number;
  readonly ms: number;
}

export interface IndexerRun {
  /** From the start of the process until it began its work. */
  readonly startMs: number;
  /** From the beginning of its work until the last block was committed. */
  readonly indexMs: number;
  /** One entry per commit. */
  readonly progress: readonly Progress[];
  readonly peakRssMiB: number;
}

const environmentOf = (databaseUrl: string, chain: ChainFile): NodeJS.ProcessEnv => ({
  DATABASE_URL: databaseUrl,
  BLOCK_SOURCE: `file:${chain.archive}`,
  NETWORK: chain.network,
});

/** Migrates the database for an indexer of the chain. */
export const migrateForIndexer = (databaseUrl: string, chain: ChainFile): Promise<void> =>
  runApp('indexer', ['migrate'], environmentOf(databaseUrl, chain));

/** When the indexer connected to write, on the clock of `performance.now()`. Its work begins with this connection. */
const workBegan = async (client: pg.Client): Promise<number> => {
  for (;;) {
    const { rows } = await client.query<{ ms: number }>(
      `SELECT extract(epoch FROM backend_start)::float8 * 1000 AS ms FROM pg_stat_activity
       WHERE application_name = 'roundhouse-writer' AND datname = current_database()`,
    );
    if (rows[0] !== undefined) return rows[0].ms - performance.timeOrigin;
  }
};

const isAt = (payload: string, height: number): boolean => payload.startsWith(`${height}:`);

/** Runs the indexer as it is deployed until the chain's last block is committed, then stops it. */
export const runIndexer = (
  databaseUrl: string,
  chain: ChainFile,
  extra: NodeJS.ProcessEnv = {},
): Promise<IndexerRun> => followChain(databaseUrl, chain, extra, async (run) => run);

/** Like `runIndexer`, but the indexer keeps following its source while `work` runs. */
export const followChain = async <T>(
  databaseUrl: string,
  chain: ChainFile,
  extra: NodeJS.ProcessEnv,
  work: (run: IndexerRun) => Promise<T>,
): Promise<T> => {
  const listener = new pg.Client({ connectionString: databaseUrl });
  await listener.connect();
  const port = await freePort();
  const spawned = performance.now();
  const indexer = startProgram('indexer', {
    ...environmentOf(databaseUrl, chain),
    OPS_PORT: String(port),
    ...extra,
  });
  try {
    const seen: Progress[] = [];
    const finished = new Promise<void>((resolve, reject) => {
      listener.on('notification', ({ payload = '' }) => {
        seen.push({ height: Number.parseInt(payload, 10), ms: performance.now() });
        if (isAt(payload, chain.blocks)) resolve();
      });
      void indexer.ended.then(() => reject(new Error('The indexer ended before it reached the last block.')));
    });
    finished.catch(() => undefined);
    await listener.query('LISTEN head');
    await indexer.answers(`http://127.0.0.1:${port}/health/ready`);
    const begun = await workBegan(listener);
    const { rows } = await listener.query<{ height: number }>('SELECT height FROM head');
    if (rows[0]?.height !== chain.blocks) await finished;
    const done = performance.now();
    return await work({
      startMs: begun - spawned,
      indexMs: done - begun,
      progress: seen.map(({ height, ms }) => ({ height, ms: ms - begun })),
      peakRssMiB: indexer.peakMiB ?? NaN,
    });
  } finally {
    await indexer.stop();
    await listener.end();
  }
};
