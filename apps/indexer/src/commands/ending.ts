import type { Logger } from 'pino';
import type { Stopping } from '../stopping.service.js';

/** Within this the process ends, come what may: what is not committed by then is dropped whole. */
const STOP_WITHIN_MS = 9_000;

export const endInTime = (stopping: Stopping, code: number, logger: Logger): void => {
  setTimeout(() => {
    logger.warn(
      { unfinished: stopping.unfinished },
      'ended without waiting longer for what did not end; nothing is half written',
    );
    process.exit(code);
  }, STOP_WITHIN_MS).unref();
};
