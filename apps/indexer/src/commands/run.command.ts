import { constants } from 'node:os';
import { createBlockSource } from '@roundhouse/source';
import type { Logger } from 'pino';
import type { IndexerSettings } from '../indexer.config.js';
import { startIndexer, type OpenSource, type RunningIndexer } from '../indexer.js';
import { Stopping } from '../stopping.service.js';

/** Within this the process ends, come what may: what is not committed by then is dropped whole. */
const STOP_WITHIN_MS = 9_000;

const openSource: OpenSource = ({ BLOCK_SOURCE, VERIFY }, network, onUnavailable) =>
  createBlockSource({ urls: BLOCK_SOURCE, network, verify: VERIFY, onUnavailable });

/** Resolves with the first signal to stop; the second ends the process at once. */
const stopSignal = (logger: Logger): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let isStopping = false;
    const hear = (signal: NodeJS.Signals): void => {
      if (isStopping) {
        logger.warn({ signal }, 'ended at once by a second signal');
        process.exit(128 + constants.signals[signal]);
      }
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });

const endInTime = (stopping: Stopping, code: number, logger: Logger): void => {
  setTimeout(() => {
    logger.warn(
      { unfinished: stopping.unfinished },
      'ended without waiting longer for what did not end; nothing is half written',
    );
    process.exit(code);
  }, STOP_WITHIN_MS).unref();
};

/** Null where it is told to stop before anything runs. */
const start = async (
  settings: IndexerSettings,
  logger: Logger,
  stopping: Stopping,
): Promise<RunningIndexer | null> => {
  try {
    return await startIndexer(settings, logger, openSource, stopping);
  } catch (error) {
    if (error === stopping.signal.reason) return null;
    throw error;
  }
};

/** Runs until a signal comes (gives 0) or the indexer halts (gives 1). */
export const run = async (settings: IndexerSettings, logger: Logger): Promise<number> => {
  const stopping = new Stopping(logger);
  const signalled = stopSignal(logger).then((signal) => {
    logger.info({ signal }, 'stopping');
    stopping.begin();
    endInTime(stopping, 0, logger);
  });
  const indexer = await start(settings, logger, stopping);
  if (indexer === null) return 0;
  const reason = await Promise.race([signalled, indexer.halted]);
  if (reason instanceof Error) {
    logger.fatal({ code: (reason as { code?: string }).code }, reason.message);
    endInTime(stopping, 1, logger);
  }
  await indexer.stop();
  logger.info('stopped');
  return reason instanceof Error ? 1 : 0;
};
