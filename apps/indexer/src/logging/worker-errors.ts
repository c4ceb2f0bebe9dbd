import type { Worker } from 'bullmq';
import type { Logger } from 'pino';
import { saySometimes } from './say-sometimes.js';

/** BullMQ's errors outside jobs: a lost connection, or a job whose record vanished while it ran. */
export const logWorkerErrors = (worker: Worker, logger: Logger): void => {
  worker.on(
    'error',
    saySometimes((reason) =>
      logger.warn({ queue: worker.name, reason }, 'a queue worker had an error; it continues'),
    ),
  );
};
