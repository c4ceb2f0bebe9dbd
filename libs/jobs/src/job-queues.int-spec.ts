import { jest } from '@jest/globals';
import { createEmptyDatabase, eventually, type TestDatabase } from '@roundhouse/testing';
import { Queue, UnrecoverableError, Worker, type DefaultJobOptions, type Job } from 'bullmq';
import { JOB_OPTIONS, WORKER_OPTIONS } from './job-options.js';
import { JobQueues, refusedPauseMs } from './job-queues.service.js';
import type { ApplyJob, DeliverJob, FetchJob, FollowJob } from './jobs.js';
import { migrateQueues } from './migrate-queues.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

const STEP_MS = 90_000;
const WITHIN_MS = 1_000;
const RANGE = { from: 1, to: 9 };

describe('JobQueues', () => {
  let database: TestDatabase;
  let backend: QueueBackend;
  let queues: JobQueues;
  const workers: Worker[] = [];
  const stepBack = (): void => {
    const real = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => real() - STEP_MS);
  };

  /** Lets `performance.now()` advance by this time; the wall clock does not move. */
  const pass = (ms: number): void => {
    const real = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => real() + ms);
  };

  beforeEach(async () => {
    database = await createEmptyDatabase();
    await migrateQueues(database.url);
    backend = openQueueBackend({ databaseUrl: database.url, redisUrl: null, onError: () => undefined });
    const open = <T>(name: QueueName, options: DefaultJobOptions = JOB_OPTIONS[name]): Queue<T> =>
      new Queue<T>(name, { connection: backend.connection, defaultJobOptions: options });
    // No failed fetch is tried again by itself before a test has looked at it.
    const backoff = { type: 'fixed', delay: 3_600_000 };
    queues = new JobQueues(
      backend,
      open<FollowJob>(QueueName.Follow),
      open<FetchJob>(QueueName.Fetch, { ...JOB_OPTIONS[QueueName.Fetch], backoff }),
      open<ApplyJob>(QueueName.Apply),
      open<DeliverJob>(QueueName.Deliver),
    );
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await Promise.all(queues.queues.map((queue) => queue.close()));
    await backend.close();
    await database.drop();
  });

  const work = (name: QueueName, process: (job: Job) => Promise<void>): void => {
    const worker = new Worker(name, process, { ...WORKER_OPTIONS, connection: backend.connection });
    worker.on('error', () => undefined);
    workers.push(worker);
  };

  it.each<[string, QueueName, () => Promise<void>]>([
    ['polls the source', QueueName.Follow, () => queues.poll('poll', WITHIN_MS)],
    ['nudges the leader', QueueName.Apply, () => queues.apply('staged', WITHIN_MS)],
    ['posts to a webhook', QueueName.Deliver, () => queues.deliver('a webhook')],
  ])('%s as before if the clock of the process steps back', async (_, name, nudge) => {
    let done = 0;
    work(name, async () => {
      done += 1;
    });
    await nudge();
    await eventually('the first is done', () => done === 1);
    stepBack();
    await eventually('the next one is done', async () => {
      await nudge();
      return done >= 2;
    });
  });

  it('pauses a refused range no longer than usual if the clock steps back', async () => {
    work(QueueName.Fetch, () => Promise.reject(new UnrecoverableError('wrong')));
    await queues.fetch([RANGE]);
    await eventually('it has failed', async () => (await queues.queues[1]!.getFailedCount()) === 1);
    stepBack();
    expect(await queues.takenRanges(Date.now())).toEqual([RANGE]);
    pass(refusedPauseMs(1));
    expect(await queues.takenRanges(Date.now())).toEqual([]);
  });

  it('retries a fetch that the source did not answer if the clock steps back', async () => {
    let tries = 0;
    work(QueueName.Fetch, async () => {
      tries += 1;
      if (tries === 1) throw new Error('away');
    });
    await queues.fetch([RANGE]);
    await eventually(
      'it waits for its next try',
      async () => (await queues.queues[1]!.getDelayedCount()) === 1,
    );
    stepBack();
    expect(await queues.takenRanges(Date.now())).toEqual([RANGE]);
    pass(5_000);
    await queues.takenRanges(Date.now());
    await eventually('it is tried again', () => tries === 2);
  });

  it('keeps at most two polls waiting, however often they are added', async () => {
    for (let n = 0; n < 10; n += 1) await queues.poll(`slot-${n}`, WITHIN_MS);
    expect(await queues.queues[0]!.getWaitingCount()).toBe(2);
  });
});
