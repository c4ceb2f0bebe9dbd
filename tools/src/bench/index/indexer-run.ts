import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { appMain } from '../app-main.js';
import type { ChainFile } from '../chain-files.js';
import { peakResidentMiB } from '../resident-memory.js';

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

const READY = 'this process writes the index';

const environmentOf = (databaseUrl: string, chain: ChainFile): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  DATABASE_URL: databaseUrl,
  BLOCK_SOURCE: `file:${chain.archive}`,
  NETWORK: chain.network,
  OPS_PORT: '0',
});

/** Migrates the database for an indexer with these settings. */
export const migrateFor = (environment: NodeJS.ProcessEnv): void => {
  const { status } = spawnSync(process.execPath, [appMain('indexer'), 'migrate'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new Error('The database could not be migrated: see the messages of the indexer above.');
};

export const migrateForIndexer = (databaseUrl: string, chain: ChainFile): void =>
  migrateFor(environmentOf(databaseUrl, chain));

/** Resolves with the time at which the indexer begins its work. Rejects if it ends before. */
const workBegins = async (child: ChildProcess): Promise<number> => {
  let last = '';
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.includes(READY)) {
      child.stdout!.resume();
      return performance.now();
    }
    last = line;
  }
  throw new Error(`The indexer ended before it began: ${last}`);
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
  const spawned = performance.now();
  const child = spawn(process.execPath, [appMain('indexer'), 'run'], {
    env: { ...environmentOf(databaseUrl, chain), ...extra },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    const seen: Progress[] = [];
    const finished = new Promise<void>((resolve, reject) => {
      listener.on('notification', ({ payload = '' }) => {
        seen.push({ height: Number.parseInt(payload, 10), ms: performance.now() });
        if (isAt(payload, chain.blocks)) resolve();
      });
      void ended.then(() => reject(new Error('The indexer ended before it reached the last block.')));
    });
    finished.catch(() => undefined);
    await listener.query('LISTEN head');
    const begun = await workBegins(child);
    const { rows } = await listener.query<{ height: number }>('SELECT height FROM head');
    if (rows[0]?.height !== chain.blocks) await finished;
    const done = performance.now();
    return await work({
      startMs: begun - spawned,
      indexMs: done - begun,
      progress: seen.map(({ height, ms }) => ({ height, ms: ms - begun })),
      peakRssMiB: peakResidentMiB(child.pid!),
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
    await listener.end();
  }
};
