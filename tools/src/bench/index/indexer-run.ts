import { setTimeout as wait } from 'node:timers/promises';
import { readMissingIndexes } from '@roundhouse/entities';
import { freePort, runApp, withClient } from '@roundhouse/local-postgres';
import { readPosition, undoTo } from '@roundhouse/storage';
import type pg from 'pg';
import type { Bench } from '../bench.config.js';
import type { ChainFile } from '../chain-files.js';
import { rounded } from '../statistics.js';
import { withProgram } from '../with-program.js';
import { flatnessOf, type Progress } from './flatness.js';

const UNDO_BLOCKS = 1_000;

const LOOK_MS = 10;

export interface IndexerRun {
  /** From the start of the process until it began its work. */
  readonly startMs: number;
  /** From the beginning of its work until the last block was committed and all indexes were built. */
  readonly indexMs: number;
  /** One entry per commit. */
  readonly progress: readonly Progress[];
  readonly rssMiB: number;
  /** Processor time of the indexer, from its start to the end of that. */
  readonly cpuSeconds: number;
}

const environmentOf = (databaseUrl: string, chain: ChainFile): NodeJS.ProcessEnv => ({
  DATABASE_URL: databaseUrl,
  BLOCK_SOURCE: `file:${chain.archive}`,
  NETWORK: chain.network,
  // Most chains of the bench have no signatures.
  VERIFY: 'hash',
});

const migrate = (databaseUrl: string, chain: ChainFile): Promise<void> =>
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

/**
 * Runs the indexer as it is deployed until the chain's last block is committed. It keeps following its source while
 * `work` runs.
 */
const followChain = <T>(
  databaseUrl: string,
  chain: ChainFile,
  extra: NodeJS.ProcessEnv,
  work: (run: IndexerRun) => Promise<T>,
): Promise<T> =>
  withClient(databaseUrl, async (listener) => {
    const port = await freePort();
    const spawned = performance.now();
    const environment = { ...environmentOf(databaseUrl, chain), OPS_PORT: String(port), ...extra };
    return withProgram('indexer', environment, async (indexer) => {
      const seen: Progress[] = [];
      listener.on('notification', ({ payload = '' }) =>
        seen.push({ height: Number.parseInt(payload, 10), ms: performance.now() }),
      );
      await listener.query('LISTEN head');
      await indexer.answers(`http://127.0.0.1:${port}/health/ready`);
      const begun = await workBegan(listener);
      const { head } = await readPosition(listener);
      if (head?.height !== chain.blocks)
        await indexer.until('it reached the last block', () => seen.at(-1)?.height === chain.blocks);
      while ((await readMissingIndexes(listener)).length > 0) await wait(LOOK_MS);
      const done = performance.now();
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return work({
        startMs: Math.round(begun - spawned),
        indexMs: done - begun,
        progress: seen.map(({ height, ms }) => ({ height, ms: ms - begun })),
        rssMiB: indexer.peakMiB ?? NaN,
        cpuSeconds: Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]),
      });
    });
  });

/** Indexes a chain into a database of its own. The indexer keeps following while `work` runs. */
export const withIndex = <T>(
  { withDatabase }: Bench,
  chain: ChainFile,
  work: (databaseUrl: string, run: IndexerRun) => Promise<T>,
  extra: NodeJS.ProcessEnv = {},
): Promise<T> =>
  withDatabase(async (url) => {
    await migrate(url, chain);
    return followChain(url, chain, extra, (run) => work(url, run));
  });

const undoMs = (databaseUrl: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { head } = await readPosition(client);
    const started = performance.now();
    await undoTo(client, head!, head!.height - UNDO_BLOCKS);
    return Math.round(performance.now() - started);
  });

/** Indexes a chain, starts the indexer again, lets it follow while `work` runs, and undoes the newest blocks. */
export const measureIndex = <T>(
  { withDatabase }: Bench,
  chain: ChainFile,
  work: (databaseUrl: string) => Promise<T>,
) =>
  withDatabase(async (url) => {
    await migrate(url, chain);
    const first = await followChain(url, chain, {}, async (run) => run);
    const { startMs, done } = await followChain(url, chain, {}, async (restart) => ({
      startMs: restart.startMs,
      done: await work(url),
    }));
    return {
      indexSeconds: Math.round(first.indexMs / 1_000),
      flatness: rounded(flatnessOf(first.progress, chain.blocks), 3),
      rssMiB: first.rssMiB,
      startMs,
      undo1000Ms: await undoMs(url),
      done,
    };
  });
