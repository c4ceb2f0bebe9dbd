import { createEmptyDatabase, eventually, type TestDatabase } from '@roundhouse/testing';
import { Worker } from 'bullmq';
import type { Pool } from 'pg';
import { migrateQueues } from './migrate-queues.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

const SERVED = 4;

describe('the backend in PostgreSQL', () => {
  let database: TestDatabase;
  let backend: QueueBackend;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrateQueues(database.url);
    backend = openQueueBackend({ databaseUrl: database.url, redisUrl: null, onError: () => undefined });
  });

  afterAll(async () => {
    await backend.close();
    await database.drop();
  });

  it(`serves ${SERVED} queries at once while the workers of all queues listen`, async () => {
    const { connection } = backend;
    const workers = Object.values(QueueName).map(
      (name) => new Worker(name, async () => null, { connection }),
    );
    const pool = connection as unknown as Pool;
    // Sessions that have asked this, or for a waiting job, speak of listening, too.
    const listening = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND query ~ 'LISTEN bullmq_jobs' AND query !~ 'pg_stat_activity'`;
    try {
      await eventually(
        'all workers listen',
        async () => (await pool.query(listening)).rowCount === workers.length,
      );
      const clients = await Promise.allSettled(Array.from({ length: SERVED }, () => pool.connect()));
      for (const client of clients) if (client.status === 'fulfilled') client.value.release();
      expect(clients.map(({ status }) => status)).toEqual(clients.map(() => 'fulfilled'));
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
    }
  });
});
