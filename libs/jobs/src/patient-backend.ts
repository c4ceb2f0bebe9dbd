import { setTimeout as wait } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  createRedisBackend,
  isNotConnectionError,
  PostgresConnection,
  PostgresQueueBackend,
  type BackendFactory,
  type IQueueBackend,
  type PgPool,
} from 'bullmq';
import { QUEUE_SCHEMA } from './migrate-queues.js';

const ASK_AGAIN_MS = 1_000;

/** BullMQ's own class caches a failed first connection: every later query fails at once. */
class RetryingConnection extends PostgresConnection {
  private readiness: Promise<void> | undefined;

  override waitUntilReady(): Promise<void> {
    this.readiness ??= this.checkSchema().catch((error: unknown) => {
      this.readiness = undefined;
      throw error;
    });
    return this.readiness;
  }

  /** A connection made after closing would never be released, and the pool would never end. */
  override getListenClient() {
    return this.isClosing ? Promise.reject(new Error('The queue is closed.')) : super.getListenClient();
  }

  private async checkSchema(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await assertSchemaCompatibility(client, QUEUE_SCHEMA);
    } finally {
      client.release();
    }
  }
}

/**
 * BullMQ's worker pauses only after errors that it counts as connection errors. After any other error it asks again
 * at once. While a server starts, stops or refuses, this loop would use a whole core or block the event loop.
 */
const patient = <T extends IQueueBackend>(backend: T): T => {
  const moveToActive = backend.moveToActive.bind(backend);
  backend.moveToActive = (...args) =>
    moveToActive(...args).catch(async (error: Error) => {
      if (isNotConnectionError(error)) await wait(ASK_AGAIN_MS);
      throw error;
    });
  return backend;
};

/** BullMQ on Redis. Its workers pause before they ask a failing server again. */
export const patientRedisBackend: BackendFactory<IQueueBackend> = (...args) =>
  patient(createRedisBackend(...args));

/** BullMQ's own backend caches a failed first connection. Its worker could then never finish a job. */
const ready = (backend: PostgresQueueBackend, connection: PostgresConnection): PostgresQueueBackend => {
  const waitUntilReady = backend.waitUntilReady.bind(backend);
  backend.waitUntilReady = async () => {
    await connection.waitUntilReady();
    await waitUntilReady();
  };
  return backend;
};

/**
 * BullMQ on a PostgreSQL pool. Its workers pause before they ask a failing server again, and continue when it is
 * back.
 */
export const patientPostgresBackend: BackendFactory<IQueueBackend, PgPool> = (name, opts, over = {}) => {
  // BullMQ's `getWorkers` finds the listening connection by the name of its queue.
  const listenerName = over.withBlockingConnection ? name : undefined;
  const connection = new RetryingConnection(opts.connection);
  return patient(ready(new PostgresQueueBackend(connection, name, opts, true, listenerName), connection));
};
