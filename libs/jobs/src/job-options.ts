import type { DefaultJobOptions } from 'bullmq';
import { QueueName } from './queue-name.js';

const FETCH_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 500;

/** No fetch waits longer for its next try. */
export const LONGEST_BACKOFF_MS = FIRST_BACKOFF_MS * 2 ** (FETCH_ATTEMPTS - 2);

/**
 * Finished jobs are removed at once: one that is kept makes `add` with its id a silent no-op. Failed fetches alone
 * stay for a while, so that `follow` sees them and does not plan their range again too soon.
 */
export const JOB_OPTIONS: Readonly<Record<QueueName, DefaultJobOptions>> = {
  [QueueName.Follow]: { removeOnComplete: true, removeOnFail: true },
  [QueueName.Fetch]: {
    removeOnComplete: true,
    removeOnFail: false,
    attempts: FETCH_ATTEMPTS,
    backoff: { type: 'exponential', delay: FIRST_BACKOFF_MS, jitter: 0.5 },
    stackTraceLimit: 1,
  },
  [QueueName.Apply]: { removeOnComplete: true, removeOnFail: true },
};

/**
 * What all workers share. The lock is short so that the jobs of a process that was killed are taken up by others (or
 * by itself, started anew) within 7.5 s; running a job twice changes nothing, however often.
 */
export const WORKER_OPTIONS = {
  lockDuration: 5_000,
  stalledInterval: 2_500,
  maxStalledCount: 1_000_000,
  // BullMQ's own 15 s would leave a worker idle that long after a restart of PostgreSQL.
  runRetryDelay: 1_000,
  // Redis is checked once at the start, with one warning instead of one a connection.
  skipVersionCheck: true,
} as const;
