import { setTimeout as wait } from 'node:timers/promises';
import { digestTables } from '@roundhouse/storage';
import {
  createFilledDatabase,
  createIndexerDatabase,
  freePorts,
  redisUrl,
  type TestDatabase,
} from '@roundhouse/testing';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { indexer, IndexerProcess, type Ended } from './indexer-process.js';
import { recording, type RecordedLine } from './recording.js';

/** The queue backends of the tests: always PostgreSQL, and Redis if there is one. */
export const queueBackends: readonly ('postgres' | 'redis')[] =
  redisUrl() === null ? ['postgres'] : ['postgres', 'redis'];

/** Each jest worker has its own database of Redis, from 8 on: other test files use the lower numbers. */
const ownRedisUrl = (): string => `${redisUrl()}/${8 + (Number(process.env['JEST_WORKER_ID'] ?? 1) % 8)}`;

/** More indexers than any test runs at once. */
const PORTS = 4;

/** Runs a command that must succeed. */
const succeed = async (
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> => {
  const { code, stderr } = await indexer(command, environment);
  if (code !== 0) throw new Error(stderr);
};

/** A database that `indexer migrate` has created, and the processes that write it. */
export class IndexUnderTest {
  private readonly processes: IndexerProcess[] = [];
  readonly pool: Pool;

  private constructor(
    private readonly database: TestDatabase,
    readonly environment: Readonly<Record<string, string>>,
    private readonly unusedPorts: number[],
  ) {
    this.pool = new Pool({ connectionString: database.url, max: 1 });
    // A query that fails says so itself.
    this.pool.on('error', () => undefined);
  }

  static async create(
    backend: 'postgres' | 'redis',
    settings: Readonly<Record<string, string>>,
  ): Promise<IndexUnderTest> {
    const database = await createIndexerDatabase();
    const environment = { DATABASE_URL: database.url, ...settings };
    if ('INDEXER_ROLE' in settings) await succeed(['migrate'], environment);
    const ports = await freePorts(PORTS);
    if (backend === 'postgres') return new IndexUnderTest(database, environment, ports);
    const redis = new Redis(ownRedisUrl());
    await redis.flushdb();
    await redis.quit();
    return new IndexUnderTest(database, { ...environment, REDIS_URL: ownRedisUrl() }, ports);
  }

  /** An index of the whole source: `indexer sync` has ended. */
  static async synced(
    settings: Readonly<Record<string, string>>,
    ...options: string[]
  ): Promise<IndexUnderTest> {
    const index = await IndexUnderTest.create('postgres', settings);
    await succeed(['sync', ...options], index.environment);
    return index;
  }

  /** The index of a whole recorded chain: a copy of one that each run syncs once. */
  static async ofRecording(line: RecordedLine): Promise<IndexUnderTest> {
    const settings = recording(line);
    const fill = async (url: string): Promise<void> => {
      for (const command of ['migrate', 'sync']) await succeed([command], { DATABASE_URL: url, ...settings });
    };
    const database = await createFilledDatabase(`synced_${line.replaceAll(/\W/g, '_')}`, fill, 'template0');
    const environment = { DATABASE_URL: database.url, ...settings };
    return new IndexUnderTest(database, environment, await freePorts(PORTS));
  }

  /** Runs a command on this index to its end. */
  command(...words: string[]): Promise<Ended> {
    return indexer(words, this.environment);
  }

  run(over: Readonly<Record<string, string>> = {}, stdout?: number): IndexerProcess {
    const port = this.unusedPorts.shift();
    if (port === undefined) throw new Error(`More than ${PORTS} indexers would run at once.`);
    const settings = { ...this.environment, OPS_PORT: String(port), ...over };
    const process = new IndexerProcess(['run'], settings, stdout);
    void process.ended.then(() => this.unusedPorts.push(port));
    this.processes.push(process);
    return process;
  }

  async height(): Promise<number> {
    const { rows } = await this.pool.query<{ height: number }>('SELECT height FROM head');
    return rows[0]?.height ?? 0;
  }

  /** Waits until the index is at `height`; fails if one of the processes ends before that. */
  async reach(height: number, ...running: IndexerProcess[]): Promise<void> {
    const ended = running.map(async (process) => {
      const { stderr, stdout } = await process.ended;
      throw new Error(`An indexer ended before the index was at ${height}: ${stderr || stdout}`);
    });
    for (const failure of ended) failure.catch(() => undefined);
    while ((await Promise.race([this.height(), ...ended])) < height) await wait(20);
  }

  /** As `indexer digest` prints it for the whole index. */
  async digest(): Promise<string> {
    const client = await this.pool.connect();
    try {
      return (await digestTables(client)).sha256;
    } finally {
      client.release();
    }
  }

  async close(): Promise<Ended[]> {
    const ends = await Promise.all(this.processes.map((process) => process.kill('SIGTERM')));
    await this.pool.end();
    await this.database.drop();
    return ends;
  }
}
