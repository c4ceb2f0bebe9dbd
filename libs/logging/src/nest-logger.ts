import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own lines, at debug where they tell of the start alone. */
export const nestLogger = (logger: Logger): LoggerService => {
  const fields = (rest: unknown[]): object => ({ context: rest.at(-1) });
  return {
    log: (message: unknown, ...rest: unknown[]) => logger.debug(fields(rest), String(message)),
    debug: (message: unknown, ...rest: unknown[]) => logger.debug(fields(rest), String(message)),
    verbose: (message: unknown, ...rest: unknown[]) => logger.trace(fields(rest), String(message)),
    warn: (message: unknown, ...rest: unknown[]) => logger.warn(fields(rest), String(message)),
    error: (message: unknown, ...rest: unknown[]) => logger.error(fields(rest), String(message)),
  };
};
