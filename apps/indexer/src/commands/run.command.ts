import { misspelt, readSettings } from '@roundhouse/config';
import { createLogger, printError } from '@roundhouse/logging';
import { createBlockSource } from '@roundhouse/source';
import { startTelemetry } from '@roundhouse/telemetry';
import type { Logger } from 'pino';
import { defineCommand } from '../command-line/command.js';
import { endInTime, stopSignal } from '../command-line/ending.js';
import { isAtEnd, readEndableSettings } from '../frozen/end-of-settings.js';
import { startFrozen } from '../frozen/start-frozen.js';
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

/** Runs until a signal comes, the indexer halts, or it has the last block of an ended chain. */
const runUntilOver = async (
  logger: Logger,
  signal: Promise<NodeJS.Signals>,
  begin: (stopping: Stopping) => Promise<RunningIndexer | null>,
): Promise<'stopped' | 'halted' | 'ended'> => {
  const stopping = new Stopping(logger);
  const signalled = signal.then((name) => {
    if (stopping.signal.aborted) return;
    logger.info({ signal: name }, 'stopping');
    stopping.begin();
    endInTime(0, stopping);
  });
  const indexer = await begin(stopping);
  if (indexer === null) return 'stopped';
  const reason = await Promise.race([signalled, indexer.halted, indexer.ended.then(() => 'ended' as const)]);
  if (reason instanceof Error) {
    logger.fatal({ code: (reason as { code?: string }).code }, reason.message);
    endInTime(1, stopping);
  }
  await indexer.stop();
  if (reason === 'ended') return 'ended';
  logger.info('stopped');
  return reason instanceof Error ? 'halted' : 'stopped';
};

/** Returns the exit code. An index at the end of its chain needs neither source nor queues. */
const runToTheEnd = async (settings: IndexerSettings, logger: Logger): Promise<number> => {
  const isOver = await isAtEnd(settings);
  const signal = stopSignal((name) => logger.warn({ signal: name }, 'ended at once by a second signal'));
  const run = (begin: (stopping: Stopping) => Promise<RunningIndexer | null>) =>
    runUntilOver(logger, signal, begin);
  const first = isOver ? 'ended' : await run((stopping) => start(settings, logger, stopping));
  const last = first === 'ended' ? await run((stopping) => startFrozen(settings, logger, stopping)) : first;
  return Number(last === 'halted');
};

export const command = defineCommand({
  text: `Indexes all blocks that the source has and the index does not, then each new block, and follows forks. Any number of
these processes may run on one database: all fetch, one writes. Health and metrics are served on OPS_PORT.

With FINAL_HEIGHT, the chain ends there: the index is verified as a whole, and then the process needs no source.`,
  examples: [
    [
      'BLOCK_SOURCE=https://node.example DATABASE_URL=postgres://localhost/roundhouse indexer',
      "follow a node's public API",
    ],
  ],
  closing: `Needs DATABASE_URL, and BLOCK_SOURCE until the index is at FINAL_HEIGHT. Exit code: 0 after SIGINT or SIGTERM, 1 if it cannot start or continue.`,
  options: {},
  run: async (_given, environment) => {
    printError(...misspelt(indexerSettings, environment));
    const settings = await readEndableSettings(
      async (settings) => readSettings(settings, environment),
      environment,
    );
    const logger = await createLogger(settings.LOG_LEVEL, process.stdout.isTTY);
    const telemetry = await startTelemetry('roundhouse-indexer', settings, logger);
    try {
      return await runToTheEnd(settings, logger);
    } finally {
      await telemetry.stop();
    }
  },
});
