import { schemaState, type SchemaState } from '@roundhouse/entities';
import { areQueuesMigrated, countQueuedJobs, openQueueBackend, type QueuedJobs } from '@roundhouse/jobs';
import { readIndexStatus, type IndexStatus } from '@roundhouse/storage';
import { connectDatabase } from '../database/check-database.js';
import { WRITER_LOCK } from '../leader/writer-lock.js';
import type { StatusSettings } from '../status.config.js';

export interface Queues {
  readonly kind: 'postgres' | 'redis';
  /** Null where they cannot be read; `problem` says why. */
  readonly jobs: readonly QueuedJobs[] | null;
  readonly problem?: string;
}

export interface Status {
  readonly schema: SchemaState;
  /** Null where the tables are not those that this version knows. */
  readonly index: IndexStatus | null;
  /** Null before an index has a chain. */
  readonly queues: Queues | null;
}

/** How long queues may take to answer: they are the least of what is asked. */
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
    return { kind, jobs: null, problem: `${where} does not answer for them (${message})` };
  }
};

/** Throws `OperatorError` where the database cannot be reached. */
export const readStatus = async (settings: StatusSettings): Promise<Status> => {
  const client = await connectDatabase(settings.DATABASE_URL);
  try {
    const schema = await schemaState(client);
    if (schema.kind !== 'known') return { schema, index: null, queues: null };
    const index = await readIndexStatus(client, WRITER_LOCK);
    const nethash = index.network?.nethash;
    return { schema, index, queues: nethash === undefined ? null : await readQueues(settings, nethash) };
  } finally {
    await client.end();
  }
};
