import { printError } from '@roundhouse/logging';
import { readHasHistory } from '@roundhouse/storage';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { IndexerSettings } from '../indexer.config.js';

const NO_HISTORY =
  'HISTORY=full, but the index was begun without history: it goes on without. To build it, stop the indexers and run "indexer rebuild" with HISTORY=full.';

/** Says once if the setting is not what the index was begun with: then the setting has no effect. `npm start` shows stderr on its console. */
export const sayHistory = async (
  pool: Pool,
  setting: IndexerSettings['HISTORY'],
  logger: Logger,
): Promise<void> => {
  const hasHistory = await readHasHistory(pool);
  if (hasHistory === undefined || hasHistory === (setting === 'full')) return;
  if (hasHistory)
    logger.info(
      'HISTORY=off, but the index has history: it is kept. To drop it, stop the indexers and run "indexer rebuild".',
    );
  else {
    logger.warn(NO_HISTORY);
    printError(NO_HISTORY);
  }
};
