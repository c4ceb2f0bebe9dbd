import { readSettings } from '@roundhouse/config';
import { createLogger } from '@roundhouse/logging';
import { startTelemetry } from '@roundhouse/telemetry';
import type { Logger } from 'pino';
import { stopSignal } from '../command-line/stop-signals.js';
import { indexerSettings, type IndexerSettings } from '../indexer.config.js';
import { Stopping } from '../stopping.service.js';
import { endInTime } from './ending.js';
import { start } from './start.js';

/** Runs until a signal comes (gives 0) or the indexer halts (gives 1). */
const runUntilStopped = async (settings: IndexerSettings, logger: Logger): Promise<number> => {
  const stopping = new Stopping(logger);
  const signalled = stopSignal((signal) => logger.warn({ signal }, 'ended at once by a second signal')).then(
    (signal) => {
      logger.info({ signal }, 'stopping');
      stopping.begin();
      endInTime(stopping, 0, logger);
    },
  );
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Follows the chain with the settings of the environment; gives the exit code. */
export const run = async (environment: Environment): Promise<number> => {
  const settings = readSettings(indexerSettings, environment);
  const logger = await createLogger(settings.LOG_LEVEL, process.stdout.isTTY);
  const telemetry = await startTelemetry('roundhouse-indexer', settings, logger);
  try {
    return await runUntilStopped(settings, logger);
  } finally {
    await telemetry.stop();
  }
};
