import { setTimeout as wait } from 'node:timers/promises';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { OperatorError } from '../operator.error.js';

/** A database that is just starting is waited for; longer, and the operator should know. */
const RETRY_FOR_MS = 5000;

const RETRY_EVERY_MS = 250;

const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
};

/** Throws `OperatorError` where the database cannot be reached within a few seconds. */
export const connectDatabase = async (url: string, options: DataSourceOptions): Promise<DataSource> => {
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      if (performance.now() < giveUpAt) {
        await wait(RETRY_EVERY_MS);
        continue;
      }
      throw new OperatorError(
        `The database at ${placeOf(url)} cannot be reached (${(error as Error).message}): start it, or correct DATABASE_URL or DATABASE_READ_URL.`,
        { cause: error },
      );
    }
  }
};
