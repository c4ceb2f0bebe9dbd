import type { Block, BlockRef, Network } from '@roundhouse/chain';
import { readSettings } from '@roundhouse/config';
import { openQueueBackend, queuePrefix, type FetchJob, type QueueName } from '@roundhouse/jobs';
import {
  NodeProtocolError,
  NodeUnavailableError,
  type BlockSource,
  type SourceEvents,
} from '@roundhouse/source';
import { claimNetwork, digestTables, readPosition, rebuildIndex } from '@roundhouse/storage';
import { createIndexerDatabase, eventually, redisUrl, type TestDatabase } from '@roundhouse/testing';
import { Queue, Worker } from 'bullmq';
import { Client, Pool } from 'pg';
import { pino, type Logger } from 'pino';
import { ApplyHarness } from './apply/apply.harness.js';
import { startFrozen } from './frozen/start-frozen.js';
import { indexerSettings, type IndexerSettings } from './indexer.config.js';
import { startIndexer, type RunningIndexer } from './indexer.js';
import { Stopping } from './stopping.service.js';

/** A source in memory. Tests may change its chain at any time. */
export class MemorySource implements BlockSource {
  readonly name = 'memory';
  /** Every requested range, as `from-to`. */
  readonly asked: string[] = [];
  tipsAsked = 0;
  /** How many more blocks the source claims than it has. */
  boast = 0;
  isAway = false;
  /** Never called: a test says by it that blocks are read in bulk. */
  segments?: BlockSource['segments'];
  private readonly problemsOf: ((block: Block) => string | null)[] = [];
  /** The callbacks of the indexer that opened the source. */
  events: SourceEvents = {};
  /** Called before the blocks of a range are returned; may throw or change the chain. */
  beforeBlocks: (from: number, to: number) => void | Promise<void> = () => undefined;

  constructor(
    public chain: readonly Block[],
    public ownNetwork: Network | null,
  ) {}

  async network(): Promise<Network | null> {
    return this.ownNetwork;
  }

  /** Waits until it was asked for its tip this many more times. */
  async polls(times: number): Promise<void> {
    const goal = this.tipsAsked + times;
    await eventually('the source is asked for its tip', () => this.tipsAsked >= goal);
  }

  async tip(): Promise<BlockRef> {
    this.tipsAsked += 1;
    if (this.isAway) throw new NodeUnavailableError(this.name, 'refused', 'nobody answers');
    const { height, id } = this.chain.at(-1)!;
    return { height: height + this.boast, id };
  }

  async blockAt(height: number): Promise<Block | null> {
    const block = this.chain[height - 1] ?? null;
    if (block !== null) this.assertTrusted(block);
    return block;
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    this.asked.push(`${from}-${to}`);
    await this.beforeBlocks(from, to);
    const blocks = this.chain.slice(from - 1, to);
    for (const block of blocks) this.assertTrusted(block);
    return blocks;
  }

  distrust(problemOf: (block: Block) => string | null): void {
    this.problemsOf.push(problemOf);
  }

  async close(): Promise<void> {}

  private assertTrusted(block: Block): void {
    for (const problemOf of this.problemsOf) {
      const problem = problemOf(block);
      if (problem !== null) throw new NodeProtocolError(this.name, problem, { height: block.height });
    }
  }
}

/** The queue backends of the tests: always PostgreSQL, and Redis if there is one. */
export const queueBackends: readonly ('postgres' | 'redis')[] =
  redisUrl() === null ? ['postgres'] : ['postgres', 'redis'];

/** Test files run in parallel: each jest worker has its own database in the one Redis. */
const ownRedisUrl = (): string => `${redisUrl()}/${process.env['JEST_WORKER_ID'] ?? '1'}`;

/** Far more than it takes: other tests may keep the machine busy. */
const REACH_WITHIN_MS = 180_000;

/** Whole indexers in this process, on one database of their own. */
export class IndexerHarness {
  private readonly running: RunningIndexer[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly pool: Pool,
    readonly backend: 'postgres' | 'redis',
  ) {}

  static async create(backend: 'postgres' | 'redis'): Promise<IndexerHarness> {
    const database = await createIndexerDatabase();
    const harness = new IndexerHarness(
      database,
      new Pool({ connectionString: database.url, max: 2 }),
      backend,
    );
    if (backend === 'redis') await harness.emptyQueues();
    return harness;
  }

  /** Starts another indexer on the same database. */
  async start(
    source: BlockSource,
    over: Readonly<Record<string, string>> = {},
    logger: Logger = pino({ level: 'silent' }),
  ): Promise<RunningIndexer> {
    const indexer = await startIndexer(this.settings(over), logger, async (_, __, events) => {
      if (source instanceof MemorySource) source.events = events;
      return source;
    });
    this.running.push(indexer);
    return indexer;
  }

  /** Starts what is left of an indexer once its chain has ended. */
  async startFrozen(over: Readonly<Record<string, string>>): Promise<RunningIndexer> {
    const logger = pino({ level: 'silent' });
    const frozen = await startFrozen(this.settings(over), logger, new Stopping(logger));
    this.running.push(frozen);
    return frozen;
  }

  settings(over: Readonly<Record<string, string>>): IndexerSettings {
    return readSettings(indexerSettings, {
      BLOCK_SOURCE: 'file:///not/used',
      DATABASE_URL: this.database.url,
      ...(this.backend === 'redis' ? { REDIS_URL: ownRedisUrl() } : {}),
      OPS_PORT: '0',
      // Random chains have placeholders in place of signatures.
      VERIFY: 'hash',
      POLL_INTERVAL_MS: '50',
      APPLY_BATCH_BLOCKS: '10',
      ...over,
    });
  }

  async head(): Promise<BlockRef | null> {
    const { head } = await readPosition(this.pool);
    return head && { height: head.height, id: head.id };
  }

  /** Waits until `block` is the head of the index. */
  async reach(block: BlockRef): Promise<void> {
    await eventually(
      `the head is ${block.height}`,
      async () => (await this.head())?.id === block.id,
      REACH_WITHIN_MS,
    );
  }

  async digest(): Promise<string> {
    const client = await this.pool.connect();
    try {
      return (await digestTables(client)).sha256;
    } finally {
      client.release();
    }
  }

  /** Recomputes the derived tables, with before-images for `undoDepth` blocks. Call it while no indexer runs. */
  async rebuild(undoDepth: number, network?: Network): Promise<void> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      const report = await rebuildIndex(client, { undoDepth, network });
      if (report.kind !== 'rebuilt') throw new Error(JSON.stringify(report));
    } finally {
      await client.end();
    }
  }

  /** Adds a job that a process has taken, for a day by its clock, and never ends. Call it while no indexer runs. */
  async strandJob(name: QueueName, nethash: string, data: FetchJob): Promise<void> {
    const { url: databaseUrl } = this.database;
    const url = this.backend === 'redis' ? ownRedisUrl() : null;
    const backend = openQueueBackend({ databaseUrl, redisUrl: url, onError: () => undefined });
    const options = { connection: backend.connection, prefix: queuePrefix(nethash) };
    const queue = new Queue(name, options);
    const worker = new Worker(name, null, { ...options, lockDuration: 86_400_000 });
    await queue.add('fetch', data);
    await worker.getNextJob('a token');
    await Promise.all([worker.close(), queue.close()]);
    await backend.close();
  }

  /** Removes all jobs in any state, and BullMQ's own records of them. */
  async emptyQueues(): Promise<void> {
    if (this.backend === 'redis') {
      const { Redis } = await import('ioredis');
      const redis = new Redis(ownRedisUrl());
      await redis.flushdb();
      await redis.quit();
      return;
    }
    const { rows } = await this.pool.query<{ name: string }>(
      `SELECT format('bullmq.%I', tablename) AS name FROM pg_tables
       WHERE schemaname = 'bullmq' AND tablename !~ 'migration'`,
    );
    await this.pool.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
  }

  /** Stops all indexers. */
  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map((indexer) => indexer.stop()));
  }

  async close(): Promise<void> {
    await this.stop();
    await this.pool.end();
    await this.database.drop();
  }
}

/** The status of the readiness check, and its text. */
export const readiness = async (operationsUrl: string): Promise<[number, string]> => {
  const answer = await fetch(`${operationsUrl}/health/ready`);
  return [answer.status, await answer.text()];
};

const indexStraight = async (network: Network, blocks: readonly Block[]): Promise<string> => {
  const harness = await ApplyHarness.create(network);
  try {
    await claimNetwork(harness.client, network);
    await harness.index(blocks);
    return (await digestTables(harness.client)).sha256;
  } finally {
    await harness.close();
  }
};

const straightDigests = new Map<string, Promise<string>>();

/** The digest of a straight index of `blocks`, made without queues: once per chain, identified by its last id. */
export const straightDigest = (network: Network, blocks: readonly Block[]): Promise<string> => {
  const { id } = blocks.at(-1)!;
  const digest = straightDigests.get(id) ?? indexStraight(network, blocks);
  straightDigests.set(id, digest);
  return digest;
};
