import { printError } from '@roundhouse/logging';
import { readHasHistory } from '@roundhouse/storage';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { IndexerSettings } from '../indexer.config.js';

const REBUILD = 'node apps/indexer/dist/main.js rebuild';
const NO_HISTORY =
  'HISTORY=full has no effect: the index was begun without history, and goes on without. ' +
  `To build it, stop the indexers (npm start: Ctrl-C), run "HISTORY=full ${REBUILD}", and start them again.`;

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
      `HISTORY=off has no effect: the index has history, and keeps it. To drop it, stop the indexers and run "${REBUILD}".`,
    );
  else {
    logger.warn(NO_HISTORY);
    printError(NO_HISTORY);
  }
};
