import { setTimeout as wait } from 'node:timers/promises';
import { createEmptyDatabase, eventually, TcpProxy, type TestDatabase } from '@roundhouse/testing';
import { Queue, Worker } from 'bullmq';
import { WORKER_OPTIONS } from './job-options.js';
import { migrateQueues } from './migrate-queues.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

/** PostgreSQL's answer to a client that connects while it starts. */
const startingUp = (): Buffer => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const header = Buffer.from('E\0\0\0\0');
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
};

interface Absence {
  readonly state: string;
  readonly begin: (server: TcpProxy) => Promise<void> | void;
  /** Resolves after enough attempts to measure the pauses between them. */
  readonly pass: (worker: Worker) => Promise<void>;
}

const absences: Absence[] = [
  {
    state: 'refuses all connections',
    begin: (server) => server.refuse(startingUp()),
    pass: (worker) =>
      new Promise((resolve) => {
        let refusals = 0;
        worker.on('error', () => (refusals += 1) === 3 && resolve());
      }),
  },
  // BullMQ does not report these errors.
  { state: 'is not running', begin: (server) => server.cut(), pass: () => wait(2_500) },
];

describe.each(absences)('a worker whose PostgreSQL $state at first', ({ begin, pass }) => {
  let database: TestDatabase;
  let server: TcpProxy;
  let backend: QueueBackend;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrateQueues(database.url);
    server = await TcpProxy.before(database.url);
    await begin(server);
    backend = openQueueBackend({ databaseUrl: server.url, redisUrl: null, onError: () => undefined });
  });

  afterAll(async () => {
    await backend.close();
    await server.close();
    await database.drop();
  });

  it('asks once a second, then takes and finishes its jobs', async () => {
    const worker = new Worker<{ number: number }, number>(QueueName.Apply, async ({ data }) => data.number, {
      connection: backend.connection,
      ...WORKER_OPTIONS,
    });
    const done: number[] = [];
    worker.on('completed', (_job, number) => done.push(number));
    const started = performance.now();
    await pass(worker);
    expect(performance.now() - started).toBeGreaterThan(1_900);
    await server.restore();
    const queue = new Queue(QueueName.Apply, { connection: backend.connection });
    await queue.add('apply', { number: 7 });
    await queue.add('apply', { number: 8 });
    await eventually('both jobs have ended', () => done.length === 2);
    expect(done).toEqual([7, 8]);
    await queue.close();
    await worker.close();
  });
});
