import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Why a port cannot be had: `listenOnAll` throws it with what to do, so that it is said once. */
const IS_ABOUT_LISTENING = /^Error: (listen|getaddrinfo) /;

/** Logs Nest's own lines; those about the start are logged at debug. */
export const nestLogger = (logger: Logger): LoggerService => {
  const fields = (rest: unknown[]): object => ({ context: rest.at(-1) });
  return {
    log: (message: unknown, ...rest: unknown[]) => logger.debug(fields(rest), String(message)),
    debug: (message: unknown, ...rest: unknown[]) => logger.debug(fields(rest), String(message)),
    verbose: (message: unknown, ...rest: unknown[]) => logger.trace(fields(rest), String(message)),
    warn: (message: unknown, ...rest: unknown[]) => logger.warn(fields(rest), String(message)),
    error: (message: unknown, ...rest: unknown[]) =>
      logger[IS_ABOUT_LISTENING.test(String(message)) ? 'debug' : 'error'](fields(rest), String(message)),
  };
};
