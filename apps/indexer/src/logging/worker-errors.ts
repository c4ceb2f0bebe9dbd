import type { Worker } from 'bullmq';
import type { Logger } from 'pino';

const REPEAT_MS = 10_000;

/**
 * BullMQ's errors outside of jobs: a lost connection, or a job whose record vanished while it ran. The worker goes on
 * by itself, so the same one is said at most once in a while.
 */
export const logWorkerErrors = (worker: Worker, logger: Logger): void => {
  const saidAt = new Map<string, number>();
  worker.on('error', ({ message }) => {
    const now = Date.now();
    if (now - (saidAt.get(message) ?? -Infinity) < REPEAT_MS) return;
    if (saidAt.size > 100) saidAt.clear();
    saidAt.set(message, now);
    logger.warn({ queue: worker.name, reason: message }, 'a worker of the queues had an error; it goes on');
  });
};
