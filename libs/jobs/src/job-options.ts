import type { DefaultJobOptions } from 'bullmq';
import { QueueName } from './queue-name.js';

const FETCH_ATTEMPTS = 5;
/** The largest integer of PostgreSQL, which may hold the queues. */
const ENDLESSLY = 2 ** 31 - 1;
const FIRST_BACKOFF_MS = 500;

/** The longest pause before a fetch is retried. */
export const LONGEST_BACKOFF_MS = FIRST_BACKOFF_MS * 2 ** (FETCH_ATTEMPTS - 2);

/**
 * Finished jobs are removed at once: while one is kept, `add` with its id silently does nothing. Only failed fetches
 * are kept for a while, so that `follow` sees them and does not plan their range again too soon.
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
  [QueueName.Deliver]: {
    removeOnComplete: true,
    removeOnFail: true,
    attempts: ENDLESSLY,
    backoff: { type: 'custom' },
    stackTraceLimit: 1,
  },
};

const FIRST_DELIVER_PAUSE_MS = 1_000;
const LONGEST_DELIVER_PAUSE_MS = 600_000;

/** How long a webhook rests after this many posts in a row that failed. */
export const deliverPauseMs = (failures: number): number =>
  Math.min(FIRST_DELIVER_PAUSE_MS * 2 ** (failures - 1), LONGEST_DELIVER_PAUSE_MS);

/**
 * Options of all workers. The lock is short, so that the jobs of a killed process are taken over within 7.5 s: by
 * another process, or by the same program after a restart. Running a job twice changes nothing.
 */
export const WORKER_OPTIONS = {
  lockDuration: 5_000,
  stalledInterval: 2_500,
  maxStalledCount: 1_000_000,
  // With BullMQ's default of 15 s a worker would stay idle that long after a restart of PostgreSQL.
  runRetryDelay: 1_000,
  // Redis is checked once at the start, to log one warning instead of one for each connection.
  skipVersionCheck: true,
} as const;
