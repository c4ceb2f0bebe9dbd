import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { jest } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import { Queue, Worker } from 'bullmq';
import { WORKER_OPTIONS } from './job-options.js';
import { migrateQueues } from './migrate-queues.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

jest.setTimeout(20_000);

/** What PostgreSQL answers to a client that comes while it starts. */
const startingUp = (): Buffer => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const header = Buffer.from('E\0\0\0\0');
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
};

describe('a worker whose PostgreSQL refuses everybody', () => {
  let database: TestDatabase;
  let server: Server;
  let backend: QueueBackend;
  let isStarting = true;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrateQueues(database.url);
    const { hostname, port } = new URL(database.url);
    server = createServer((client) => {
      client.on('error', () => undefined);
      if (isStarting) {
        client.once('data', () => client.end(startingUp()));
        return;
      }
      const upstream = connect(Number(port), hostname);
      upstream.on('error', () => client.destroy());
      client.pipe(upstream).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(database.url);
    url.port = String((server.address() as AddressInfo).port);
    backend = openQueueBackend({ databaseUrl: url.toString(), redisUrl: null, onError: () => undefined });
  });

  afterAll(async () => {
    await backend.close();
    server.close();
    await database.drop();
  });

  it('asks once a second, and takes its jobs when PostgreSQL lets it', async () => {
    let takeNumber: (number: number) => void;
    const taken = new Promise<number>((resolve) => (takeNumber = resolve));
    const worker = new Worker<{ number: number }>(
      QueueName.Apply,
      async ({ data }) => takeNumber(data.number),
      { connection: backend.connection, ...WORKER_OPTIONS },
    );
    const started = performance.now();
    await new Promise<void>((resolve) => {
      let refusals = 0;
      worker.on('error', () => (refusals += 1) === 3 && resolve());
    });
    expect(performance.now() - started).toBeGreaterThan(1_900);
    isStarting = false;
    const queue = new Queue(QueueName.Apply, { connection: backend.connection });
    await queue.add('apply', { number: 7 });
    expect(await taken).toBe(7);
    await queue.close();
    await worker.close();
  });
});
