import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { createEmptyDatabase, eventually, type TestDatabase } from '@roundhouse/testing';
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

/** A PostgreSQL that is not there at first, or only just starting. */
class LateServer {
  private isStarting = true;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(databaseUrl: string): Promise<LateServer> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer((client) => {
      client.on('error', () => undefined);
      if (late.isStarting) {
        client.once('data', () => client.end(startingUp()));
        return;
      }
      const upstream = connect(Number(port), hostname);
      upstream.on('error', () => client.destroy());
      client.pipe(upstream).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    const late = new LateServer(server, url.toString());
    return late;
  }

  async refuse(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  async begin(): Promise<void> {
    this.isStarting = false;
    if (this.server.listening) return;
    this.server.listen(Number(new URL(this.url).port), '127.0.0.1');
    await once(this.server, 'listening');
  }

  close(): void {
    this.server.close();
  }
}

describe.each(['refuses everybody', 'is not there'])(
  'a worker whose PostgreSQL %s when it begins',
  (state) => {
    let database: TestDatabase;
    let server: LateServer;
    let backend: QueueBackend;

    beforeAll(async () => {
      database = await createEmptyDatabase();
      await migrateQueues(database.url);
      server = await LateServer.before(database.url);
      if (state === 'is not there') await server.refuse();
      backend = openQueueBackend({ databaseUrl: server.url, redisUrl: null, onError: () => undefined });
    });

    afterAll(async () => {
      await backend.close();
      server.close();
      await database.drop();
    });

    it('asks once a second, takes its jobs when it can, and ends them', async () => {
      const worker = new Worker<{ number: number }, number>(
        QueueName.Apply,
        async ({ data }) => data.number,
        { connection: backend.connection, ...WORKER_OPTIONS },
      );
      const done: number[] = [];
      worker.on('completed', (_job, number) => done.push(number));
      let errors = 0;
      worker.on('error', () => (errors += 1));
      await wait(2_500);
      expect(errors).toBeLessThanOrEqual(4);
      await server.begin();
      const queue = new Queue(QueueName.Apply, { connection: backend.connection });
      await queue.add('apply', { number: 7 });
      await queue.add('apply', { number: 8 });
      await eventually('both jobs have ended', () => done.length === 2, 15_000);
      expect(done).toEqual([7, 8]);
      await queue.close();
      await worker.close();
    });
  },
);
