import { createBlockSource } from '@roundhouse/source';
import type { Logger } from 'pino';
import type { IndexerSettings } from '../indexer.config.js';
import { startIndexer, type OpenSource } from '../indexer.js';

/** Within this the process ends, come what may: what is not committed by then is dropped whole. */
const STOP_WITHIN_MS = 9_000;

const openSource: OpenSource = ({ BLOCK_SOURCE, VERIFY }, network, onUnavailable) =>
  createBlockSource({ urls: BLOCK_SOURCE, network, verify: VERIFY, onUnavailable });

const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });

/** Runs until a signal comes (gives 0) or the indexer halts (gives 1). */
export const run = async (settings: IndexerSettings, logger: Logger): Promise<number> => {
  const signalled = firstSignal();
  const indexer = await startIndexer(settings, logger, openSource);
  const end = await Promise.race([signalled, indexer.halted]);
  if (end instanceof Error) logger.fatal({ code: (end as { code?: string }).code }, end.message);
  else logger.info({ signal: end }, 'stopping');
  const code = end instanceof Error ? 1 : 0;
  setTimeout(() => {
    logger.warn('stopped without waiting longer for what was under way');
    process.exit(code);
  }, STOP_WITHIN_MS).unref();
  await indexer.stop();
  logger.info('stopped');
  return code;
};
