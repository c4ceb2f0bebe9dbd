import { setTimeout as wait } from 'node:timers/promises';
import { readerDataSourceOptions } from '@roundhouse/storage';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { ApiSettings } from '../api.config.js';
import { OperatorError, tlsAdvice } from '@roundhouse/config';
import { readerUrl } from './reader-url.js';

/** Connections to PostgreSQL, in addition to the one that watches the head. */
const POOL_SIZE = 10;

/** Long enough for a database that is just starting. */
const RETRY_FOR_MS = 5000;

const RETRY_EVERY_MS = 250;

const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
};

// A name with several addresses fails with an AggregateError, which has a code and no message.
const reasonOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'unknown reason');
};

/** Throws `OperatorError` if the database cannot be reached within a few seconds. */
export const connectDatabase = async (settings: ApiSettings, logger: Logger): Promise<DataSource> => {
  const url = readerUrl(settings);
  const variable = settings.DATABASE_READ_URL === undefined ? 'DATABASE_URL' : 'DATABASE_READ_URL';
  const options = readerDataSourceOptions({
    url,
    poolSize: POOL_SIZE,
    applicationName: 'roundhouse-api',
    onPoolError: (error) => logger.warn({ reason: error.message }, 'a connection was lost'),
  });
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      const advice = tlsAdvice(error);
      // Waiting corrects no certificate and no URL.
      if (advice === null && performance.now() < giveUpAt) {
        await wait(RETRY_EVERY_MS);
        continue;
      }
      throw new OperatorError(
        `The database at ${placeOf(url)} cannot be reached (${reasonOf(error)}): ${advice ?? 'start it'}, or correct ${variable}.`,
        { cause: error },
      );
    }
  }
};
