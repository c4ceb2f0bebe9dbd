import { resetIndex } from '@roundhouse/storage';
import { connectDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';
import { tryWriterLock } from '../leader/writer-lock.js';
import { OperatorError } from '@roundhouse/config';

/** Empties every table of the index, unless an indexer writes it. */
export const reset = async ({ DATABASE_URL }: DatabaseSettings, isConfirmed: boolean): Promise<void> => {
  if (!isConfirmed) {
    throw new OperatorError(
      'This empties the whole index: say "indexer reset --yes" if that is what you want.',
    );
  }
  await (await connectDatabase(DATABASE_URL)).end();
  const lock = await tryWriterLock(DATABASE_URL);
  if (lock === null) throw new OperatorError('An indexer is writing to this database: stop it first.');
  try {
    await resetIndex(lock.client);
  } finally {
    await lock.release();
  }
  console.log('The index is empty.');
};
