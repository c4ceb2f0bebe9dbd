import { Queue } from 'bullmq';
import { WORKER_OPTIONS } from './job-options.js';
import { queuePrefix } from './jobs.module.js';
import type { QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

export interface QueuedJobs {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** Counts the jobs in the queues of the chain with this nethash, for programs that are not an indexer. */
export const countQueuedJobs = async (backend: QueueBackend, nethash: string): Promise<QueuedJobs[]> =>
  Promise.all(
    Object.values(QueueName).map(async (name) => {
      const { connection, onError } = backend;
      const { skipVersionCheck } = WORKER_OPTIONS;
      const queue = new Queue(name, { connection, prefix: queuePrefix(nethash), skipVersionCheck });
      queue.on('error', onError);
      try {
        const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
        const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
        return { queue: name, waiting, active, delayed, failed };
      } finally {
        await queue.close();
      }
    }),
  );
