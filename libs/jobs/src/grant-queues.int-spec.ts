import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import { Queue, Worker } from 'bullmq';
import { Client } from 'pg';
import { grantQueues } from './grant-queues.js';
import { areQueuesMigrated, migrateQueues } from './migrate-queues.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

const role = `worker_${randomBytes(4).toString('hex')}`;

const run = async (url: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

describe('a role that may only use the queues in PostgreSQL', () => {
  let database: TestDatabase;
  let roleUrl: string;
  let backend: QueueBackend;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrateQueues(database.url);
    const name = new URL(database.url).pathname.slice(1);
    await run(
      database.url,
      `CREATE ROLE ${role} LOGIN PASSWORD 'secret';
       REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC;
       GRANT TEMPORARY ON DATABASE ${name} TO ${role}`,
    );
    await grantQueues(database.url, role);
    await grantQueues(database.url, role);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';
    roleUrl = url.toString();
    backend = openQueueBackend({ databaseUrl: roleUrl, redisUrl: null, onError: () => undefined });
  });

  afterAll(async () => {
    await backend.close();
    const server = new URL(database.url);
    server.pathname = '/postgres';
    await database.drop();
    await run(server.toString(), `DROP ROLE ${role}`);
  });

  it('sees that the queues are migrated', async () => {
    expect(await areQueuesMigrated(roleUrl)).toBe(true);
  });

  it.each(Object.values(QueueName))('adds, takes, repeats, counts and removes jobs of %s', async (name) => {
    const { connection } = backend;
    const queue = new Queue<{ n: number }>(name, { connection });
    await queue.add('one', { n: 1 }, { deduplication: { id: 'once', ttl: 10_000 } });
    await queue.addBulk([2, 3].map((n) => ({ name: 'some', data: { n }, opts: { jobId: `job-${n}` } })));
    const failedBefore = new Set<number>();
    const worker = new Worker<{ n: number }>(
      name,
      async ({ data: { n } }) => {
        if (failedBefore.has(n)) return;
        failedBefore.add(n);
        throw new Error('not yet');
      },
      { connection, autorun: false },
    );
    const failures = new Promise<void>((resolve) => {
      worker.on('failed', () => {
        if (failedBefore.size === 3) resolve();
      });
    });
    const running = worker.run();
    await failures;
    const drained = once(worker, 'drained');
    for (const job of await queue.getFailed()) await job.retry();
    await drained;
    while ((await queue.getJobCounts('completed'))['completed'] !== 3);
    await queue.drain();
    await queue.clean(0, 100, 'completed');
    expect(await queue.getJobCounts('waiting', 'active', 'failed', 'completed')).toEqual({
      waiting: 0,
      active: 0,
      failed: 0,
      completed: 0,
    });
    await worker.close();
    await running;
    await queue.close();
  });
});
