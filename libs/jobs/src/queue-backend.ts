import { setTimeout as wait } from 'node:timers/promises';
import { connectionLimits, openPool } from '@roundhouse/config';
import { setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_SCHEMA } from './migrate-queues.js';
import { openRedis } from './open-redis.js';
import { patientPostgresBackend, patientRedisBackend } from './patient-backend.js';
import { QueueName } from './queue-name.js';

export interface QueueBackendOptions {
  readonly databaseUrl: string;
  /** Null: the queues are in PostgreSQL. */
  readonly redisUrl: string | null;
  readonly onError: (error: Error) => void;
}

/** The injection token of the backend. */
export const QUEUE_BACKEND = Symbol('queue backend');

/** The connections that all queues and workers of a process share. */
export interface QueueBackend {
  readonly kind: 'postgres' | 'redis';
  readonly connection: ConnectionOptions;
  /** Called when a connection is lost; queues and workers recover by themselves. */
  readonly onError: (error: Error) => void;
  /** Closes the connections. Close the queues and workers first. */
  close(): Promise<void>;
}

/** The worker of each queue keeps one connection to listen on; the others serve queries. */
const MAX_CONNECTIONS = Object.keys(QueueName).length + 4;

const openPostgresBackend = (databaseUrl: string, onError: (error: Error) => void): QueueBackend => {
  const pool = openPool(
    {
      connectionString: databaseUrl,
      options: `-c search_path=${QUEUE_SCHEMA} -c standard_conforming_strings=on`,
      application_name: 'roundhouse-queues',
      max: MAX_CONNECTIONS,
      ...connectionLimits,
    },
    onError,
  );
  // Each queue and worker listens on the shared pool.
  pool.setMaxListeners(0);
  return {
    kind: 'postgres',
    // BullMQ types this option for Redis; its PostgreSQL backend expects a pool here.
    connection: pool,
    onError,
    close: () => pool.end(),
  };
};

const KEEP_ALIVE_MS = 5_000;

/** A Redis that does not answer a PING within this time hangs or has disappeared. */
const SILENCE_MS = 10_000;

/**
 * Reconnects if Redis is silent; pending commands are sent again. With ioredis' own command timeout the process would
 * not end.
 */
const reconnectIfSilent = (redis: Redis): NodeJS.Timeout => {
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
  const watching = reconnectIfSilent(redis);
  redis.setMaxListeners(0);
  redis.on('error', onError);
  return {
    kind: 'redis',
    connection: redis,
    onError,
    close: async () => {
      // `quit` would wait for a Redis that may be gone.
      clearInterval(watching);
      redis.disconnect();
    },
  };
};

/**
 * Opens the backend of this process: BullMQ on Redis if a URL is given, otherwise on PostgreSQL. It applies to all
 * queues and workers created afterwards, because @nestjs/bullmq has no option for a backend.
 */
export const openQueueBackend = ({ databaseUrl, redisUrl, onError }: QueueBackendOptions): QueueBackend => {
  if (redisUrl !== null) {
    setDefaultBackendFactory(patientRedisBackend);
    return openRedisBackend(redisUrl, onError);
  }
  setDefaultBackendFactory(patientPostgresBackend);
  return openPostgresBackend(databaseUrl, onError);
};
