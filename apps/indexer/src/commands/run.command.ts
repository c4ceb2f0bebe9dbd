import { misspelt, readSettings } from '@roundhouse/config';
import { createLogger, printError } from '@roundhouse/logging';
import { createBlockSource } from '@roundhouse/source';
import { startTelemetry } from '@roundhouse/telemetry';
import type { Logger } from 'pino';
import { defineCommand } from '../command-line/command.js';
import { endInTime, stopSignal } from '../command-line/ending.js';
import { indexerSettings, type IndexerSettings } from '../indexer.config.js';
import { startIndexer, type OpenSource, type RunningIndexer } from '../indexer.js';
import { Stopping } from '../stopping.service.js';

const openAny: OpenSource = ({ BLOCK_SOURCE, VERIFY }, network, events) =>
  createBlockSource({ urls: BLOCK_SOURCE, network, verify: VERIFY, ...events });

/** Starts an indexer, up to `lastHeight` if it is given; null if it is told to stop before anything runs. */
export const start = async (
  settings: IndexerSettings,
  logger: Logger,
  stopping: Stopping,
  openSource = openAny,
  lastHeight: number | null = null,
): Promise<RunningIndexer | null> => {
  try {
    return await startIndexer(settings, logger, openSource, stopping, lastHeight);
  } catch (error) {
    if (error === stopping.signal.reason) return null;
    throw error;
  }
};

/** Runs until a signal comes (0) or the indexer halts (1). */
const runUntilStopped = async (settings: IndexerSettings, logger: Logger): Promise<number> => {
  const stopping = new Stopping(logger);
  const signalled = stopSignal((signal) => logger.warn({ signal }, 'ended at once by a second signal')).then(
    (signal) => {
      logger.info({ signal }, 'stopping');
      stopping.begin();
      endInTime(0, stopping);
    },
  );
  const indexer = await start(settings, logger, stopping);
  if (indexer === null) return 0;
  const reason = await Promise.race([signalled, indexer.halted]);
  if (reason instanceof Error) {
    logger.fatal({ code: (reason as { code?: string }).code }, reason.message);
    endInTime(1, stopping);
  }
  await indexer.stop();
  logger.info('stopped');
  return reason instanceof Error ? 1 : 0;
};

export const command = defineCommand({
  text: `Indexes all blocks that the source has and the index does not, then each new block, and follows forks. Any number of
these processes may run on one database: all fetch, one writes. Health and metrics are served on OPS_PORT.`,
  examples: [
    [
      'BLOCK_SOURCE=https://node.example DATABASE_URL=postgres://localhost/roundhouse indexer',
      "follow a node's public API",
    ],
  ],
  closing: `Needs BLOCK_SOURCE and DATABASE_URL. Exit code: 0 after SIGINT or SIGTERM, 1 if it cannot start or continue.`,
  options: {},
  run: async (_given, environment) => {
    printError(...misspelt(indexerSettings, environment));
    const settings = readSettings(indexerSettings, environment);
    const logger = await createLogger(settings.LOG_LEVEL, process.stdout.isTTY);
    const telemetry = await startTelemetry('roundhouse-indexer', settings, logger);
    try {
      return await runUntilStopped(settings, logger);
    } finally {
      await telemetry.stop();
    }
  },
});
