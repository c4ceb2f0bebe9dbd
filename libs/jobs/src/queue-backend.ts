import { setTimeout as wait } from 'node:timers/promises';
import { connectionLimits } from '@roundhouse/config';
import { setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { Pool } from 'pg';
import { QUEUE_SCHEMA } from './migrate-queues.js';
import { openRedis } from './open-redis.js';
import { patientPostgresBackend, patientRedisBackend } from './patient-backend.js';

export interface QueueBackendOptions {
  readonly databaseUrl: string;
  /** Null puts the queues into PostgreSQL. */
  readonly redisUrl: string | null;
  readonly onError: (error: Error) => void;
}

/** The backend as a provider. */
export const QUEUE_BACKEND = Symbol('queue backend');

/** The connections that the queues and workers of one process share. */
export interface QueueBackend {
  readonly kind: 'postgres' | 'redis';
  readonly connection: ConnectionOptions;
  /** Told of connections that were lost; queues and workers go on by themselves. */
  readonly onError: (error: Error) => void;
  /** Closes the connections; call it after the queues and workers are closed. */
  close(): Promise<void>;
}

/** Three workers listen on a connection each; the rest is for queries. */
const MAX_CONNECTIONS = 7;

const openPostgresBackend = (databaseUrl: string, onError: (error: Error) => void): QueueBackend => {
  const pool = new Pool({
    connectionString: databaseUrl,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    application_name: 'roundhouse-queues',
    max: MAX_CONNECTIONS,
    ...connectionLimits,
  });
  // Each queue and worker listens on the shared pool.
  pool.setMaxListeners(0);
  pool.on('error', onError);
  return {
    kind: 'postgres',
    // BullMQ types the option for Redis; its PostgreSQL backend takes a pool in the same place.
    connection: pool,
    onError,
    close: () => pool.end(),
  };
};

const KEEP_ALIVE_MS = 5_000;

/** A Redis that leaves a PING unanswered for so long hangs, or is gone without a word. */
const SILENCE_MS = 10_000;

/** What waits for an answer is asked again on a new connection. ioredis' own limit would keep the process from ending. */
const reconnectWhereSilent = (redis: Redis): NodeJS.Timeout => {
  const ask = async (): Promise<void> => {
    if (redis.status !== 'ready') return;
    const answer = redis.ping().catch(() => undefined);
    const isSilent = await Promise.race([answer.then(() => false), wait(SILENCE_MS, true, { ref: false })]);
    if (isSilent) redis.disconnect(true);
  };
  return setInterval(() => void ask(), SILENCE_MS).unref();
};

const openRedisBackend = (redisUrl: string, onError: (error: Error) => void): QueueBackend => {
  const redis = openRedis(redisUrl, {
    maxRetriesPerRequest: null,
    keepAlive: KEEP_ALIVE_MS,
  });
  const watching = reconnectWhereSilent(redis);
  redis.setMaxListeners(0);
  redis.on('error', onError);
  return {
    kind: 'redis',
    connection: redis,
    onError,
    close: async () => {
      // `quit` would wait for a Redis that is not there.
      clearInterval(watching);
      redis.disconnect();
    },
  };
};

/**
 * Opens the backend of this process: BullMQ on Redis where a URL is given, else on PostgreSQL. It holds for every
 * queue and worker that is made afterwards, because @nestjs/bullmq has no place for a backend of its own.
 */
export const openQueueBackend = ({ databaseUrl, redisUrl, onError }: QueueBackendOptions): QueueBackend => {
  if (redisUrl !== null) {
    setDefaultBackendFactory(patientRedisBackend);
    return openRedisBackend(redisUrl, onError);
  }
  setDefaultBackendFactory(patientPostgresBackend);
  return openPostgresBackend(databaseUrl, onError);
};
