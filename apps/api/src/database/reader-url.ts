import type { ApiSettings } from '../api.config.js';

/** Where the readers connect. */
export const readerUrl = ({ DATABASE_READ_URL, DATABASE_URL }: ApiSettings): string =>
  DATABASE_READ_URL ?? DATABASE_URL;

/** Whether a pooler lends the readers a session for each transaction. */
export const isPooled = ({ DATABASE_POOLER }: ApiSettings): boolean => DATABASE_POOLER === 'transaction';
