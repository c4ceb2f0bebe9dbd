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

/** BullMQ's own keeps a first connection that failed for good: each query fails at once then, for ever. */
class RetryingConnection extends PostgresConnection {
  private readiness: Promise<void> | undefined;

  override waitUntilReady(): Promise<void> {
    this.readiness ??= this.checkSchema().catch((error: unknown) => {
      this.readiness = undefined;
      throw error;
    });
    return this.readiness;
  }

  /** A connection that is made after the end would never be given back, and the pool would never end. */
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
 * BullMQ's worker pauses only after what it takes for a lost connection, and asks again at once after any other error:
 * while a server starts, stops or refuses, that would keep a core busy, or the whole event loop.
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

/** BullMQ on Redis, whose workers never ask a failing server without a pause. */
export const patientRedisBackend: BackendFactory<IQueueBackend> = (...args) =>
  patient(createRedisBackend(...args));

/** BullMQ's own remembers for good that the first connection failed, by which no job of such a worker could end. */
const ready = (backend: PostgresQueueBackend, connection: PostgresConnection): PostgresQueueBackend => {
  const waitUntilReady = backend.waitUntilReady.bind(backend);
  backend.waitUntilReady = async () => {
    await connection.waitUntilReady();
    await waitUntilReady();
  };
  return backend;
};

/** BullMQ on a PostgreSQL pool, whose workers never ask a failing server without a pause and go on when it is back. */
export const patientPostgresBackend: BackendFactory<IQueueBackend, PgPool> = (name, opts, over = {}) => {
  // Named like its queue, the connection that listens is found by BullMQ's `getWorkers`.
  const listenerName = over.withBlockingConnection ? name : undefined;
  const connection = new RetryingConnection(opts.connection);
  return patient(ready(new PostgresQueueBackend(connection, name, opts, true, listenerName), connection));
};
