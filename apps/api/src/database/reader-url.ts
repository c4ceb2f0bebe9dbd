import type { PoolOptions } from '@roundhouse/readers';
import type { Logger } from 'pino';
import type { ApiSettings } from '../api.config.js';

/** Where the readers connect. */
export const readerUrl = ({ DATABASE_READ_URL, DATABASE_URL }: ApiSettings): string =>
  DATABASE_READ_URL ?? DATABASE_URL;

/** Whether a pooler lends the readers a session for each transaction. */
export const isPooled = ({ DATABASE_POOLER }: ApiSettings): boolean => DATABASE_POOLER === 'transaction';

/** What all pools of the readers have in common. */
export const readerPool = (
  settings: ApiSettings,
  logger: Logger,
  applicationName: string,
): Required<PoolOptions> => ({
  url: readerUrl(settings),
  applicationName,
  isPooled: isPooled(settings),
  onPoolError: (error) => logger.warn({ reason: error.message }, 'a connection was lost'),
});
