import { print, printError } from '@roundhouse/logging';
import { readChainEnd } from '@roundhouse/storage';
import type { Logger } from 'pino';
import { Progress } from '../command-line/progress.js';
import { onDatabase } from '../database/check-database.js';
import type { IndexerSettings } from '../indexer.config.js';
import { underWriterLock } from '../leader/writer-lock.js';
import { proveEnd } from './prove-end.js';

/** Proves an index that is at the end of its chain, unless that is done. Returns the exit code. */
export const proveAfterSync = async (settings: IndexerSettings, logger: Logger): Promise<number> => {
  const { DATABASE_URL } = settings;
  const end = (await onDatabase(DATABASE_URL, readChainEnd))!;
  if (end.provenAt === null) {
    const progress = new Progress('verifying');
    const onProgress = (height: number): void => progress.show(height, end.height);
    const problem = await underWriterLock(DATABASE_URL, 'sync', (client) =>
      proveEnd(client, settings, end, logger, { onProgress }),
    ).finally(() => progress.end());
    if (problem !== null) {
      printError(
        `The index of the ended chain is not sound: ${problem}`,
        '"indexer verify" lists what is wrong.',
      );
      return 1;
    }
  }
  print(
    `The chain ended at block ${end.height} (${end.id}): the index is complete and proven, and needs no source.`,
  );
  return 0;
};
