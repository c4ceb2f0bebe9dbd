import { OperatorError, type SettingsValues } from '@roundhouse/config';
import { hasSqlViews, schemaState, type SchemaState } from '@roundhouse/entities';
import { areQueuesMigrated, countQueuedJobs, openQueueBackend, type QueuedJobs } from '@roundhouse/jobs';
import { readIndexStatus, type IndexStatus } from '@roundhouse/storage';
import { onDatabase } from '../database/check-database.js';
import { databaseSettings, indexerSettings } from '../indexer.config.js';
import { WRITER_LOCK } from '../leader/writer-lock.js';

export const statusSettings = { ...databaseSettings, REDIS_URL: indexerSettings.REDIS_URL } as const;

export type StatusSettings = SettingsValues<typeof statusSettings>;

export interface Queues {
  readonly kind: 'postgres' | 'redis';
  /** Null if they cannot be read; `problem` says why. */
  readonly jobs: readonly QueuedJobs[] | null;
  readonly problem?: string;
}

export interface Status {
  readonly schema: Exclude<SchemaState, { kind: 'foreign' }>;
  /** Null if this version does not know the schema. */
  readonly index: IndexStatus | null;
  /** Whether programs of others find a node's tables. */
  readonly hasSqlViews: boolean;
  /** Null until the index has a chain. */
  readonly queues: Queues | null;
}

/** The queues matter least here, so the rest does not wait long for them. */
const QUEUES_WITHIN_MS = 3_000;

const within = <T>(work: Promise<T>, ms: number): Promise<T> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), ms).unref();
  });
  return Promise.race([work, late]);
};

const readQueues = async ({ DATABASE_URL, REDIS_URL }: StatusSettings, nethash: string): Promise<Queues> => {
  const kind = REDIS_URL === undefined ? 'postgres' : 'redis';
  let lastError: Error | null = null;
  try {
    if (kind === 'postgres' && !(await areQueuesMigrated(DATABASE_URL))) {
      return { kind, jobs: null, problem: 'not migrated: run "indexer migrate"' };
    }
    const backend = openQueueBackend({
      databaseUrl: DATABASE_URL,
      redisUrl: REDIS_URL ?? null,
      onError: (error) => (lastError = error),
    });
    try {
      return { kind, jobs: await within(countQueuedJobs(backend, nethash), QUEUES_WITHIN_MS) };
    } finally {
      await backend.close();
    }
  } catch (error) {
    const { message } = (lastError as Error | null) ?? (error as Error);
    const where = kind === 'redis' ? 'REDIS_URL' : 'DATABASE_URL';
    return { kind, jobs: null, problem: `${where} does not answer (${message})` };
  }
};

/** Throws `OperatorError` if the database cannot be reached. */
export const readStatus = (settings: StatusSettings): Promise<Status> =>
  onDatabase(settings.DATABASE_URL, async (client) => {
    const schema = await schemaState(client);
    if (schema.kind === 'foreign') throw new OperatorError(schema.problem);
    if (schema.kind !== 'known') return { schema, index: null, hasSqlViews: false, queues: null };
    const index = await readIndexStatus(client, WRITER_LOCK);
    const nethash = index.network?.nethash;
    return {
      schema,
      index,
      hasSqlViews: await hasSqlViews(client),
      queues: nethash === undefined ? null : await readQueues(settings, nethash),
    };
  });

/** Blocks that the source has and the index does not, up to the end of the chain; null until the source was asked. */
export const lagOf = ({ index }: Status): number | null => {
  if (index === null) return null;
  const { source, end, head } = index;
  if (end !== null && end.id !== null) return 0;
  if (source === null) return null;
  return Math.max(Math.min(source.height, end?.height ?? Infinity) - (head?.height ?? 0), 0);
};

/** What `status --json` prints. Amounts are decimal text, times ISO 8601. */
export const statusJson = (status: Status) => {
  const { schema, index, queues } = status;
  const {
    head = null,
    network = null,
    source = null,
    end = null,
    refused = null,
    missingIndexes = null,
    indexBuild = null,
    staged = null,
    writer = null,
  } = index ?? {};
  return {
    schema,
    network: network && {
      name: network.name,
      nethash: network.nethash,
      token: network.token,
      symbol: network.symbol,
    },
    head: head && {
      height: head.height,
      id: head.id,
      forgedAt: head.forgedAt,
      indexedAt: head.indexedAt,
      lowestUndo: head.lowestUndo,
      knowsClaims: head.knowsClaims,
      hasDetails: head.hasDetails,
      hasStatistics: head.hasStatistics,
      misplaced: head.misplaced,
    },
    source,
    end,
    lag: lagOf(status),
    supply: head && head.supply.toString(),
    delegates: head && head.delegates,
    round: head && {
      number: head.nextRound.round,
      firstHeight: head.nextRound.firstHeight,
      lastHeight: head.nextRound.lastHeight,
    },
    refused,
    missingIndexes,
    indexBuild,
    staged,
    queues,
    writer,
    sqlViews: status.hasSqlViews,
  };
};
