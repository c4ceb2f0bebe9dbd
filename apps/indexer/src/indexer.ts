import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Network } from '@roundhouse/chain';
import { areQueuesMigrated, checkRedis, openQueueBackend, type QueueBackend } from '@roundhouse/jobs';
import { nestLogger } from '@roundhouse/logging';
import { loadNetwork, type BlockSource, type NodeUnavailableError } from '@roundhouse/source';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { checkDatabase } from './database/check-database.js';
import { HaltService } from './halt.service.js';
import type { IndexerSettings } from './indexer.config.js';
import { IndexerModule } from './indexer.module.js';

import { determineNetwork, guardNetwork } from './network/network-guard.js';
import { saySometimes } from './logging/say-sometimes.js';
import { Figures } from './operations/figures.service.js';
import { OperatorError } from '@roundhouse/config';

/** `onUnavailable` hears of every try that failed, also of those after which the source went on. */
export type OpenSource = (
  settings: IndexerSettings,
  network: Network | null,
  onUnavailable: (error: NodeUnavailableError) => void,
) => Promise<BlockSource>;

export interface RunningIndexer {
  readonly app: NestFastifyApplication;
  /** Where health and metrics are. */
  readonly operationsUrl: string;
  /** Resolves with the reason when the indexer cannot go on; the caller stops it. */
  readonly halted: Promise<Error>;
  stop(): Promise<void>;
}

/** Connections for all but the writer and the queues. */
const MAX_CONNECTIONS = 4;

const openBackend = async (settings: IndexerSettings, logger: Logger): Promise<QueueBackend> => {
  const { DATABASE_URL: databaseUrl, REDIS_URL } = settings;
  if (REDIS_URL !== undefined) {
    const warning = await checkRedis(REDIS_URL);
    if (warning !== null) logger.warn(warning);
  } else if (!(await areQueuesMigrated(databaseUrl))) {
    throw new OperatorError('The database has not the tables of the queues: run "indexer migrate" first.');
  }
  return openQueueBackend({
    databaseUrl,
    redisUrl: REDIS_URL ?? null,
    onError: saySometimes((reason) =>
      logger.warn({ reason }, 'a connection of the queues failed; trying again'),
    ),
  });
};

const listen = async (app: NestFastifyApplication, { HOST, OPS_PORT }: IndexerSettings): Promise<string> => {
  try {
    await app.listen(OPS_PORT, HOST);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `OPS_PORT ${OPS_PORT} is in use on ${HOST}: stop the other program or set another OPS_PORT.`,
        {
          cause: error,
        },
      );
    }
    throw new OperatorError(
      `The indexer cannot listen on ${HOST}, port ${OPS_PORT} (${message}): mend HOST or OPS_PORT.`,
      {
        cause: error,
      },
    );
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
};

/**
 * Checks everything that the operator may have wrong, then starts. Throws before anything runs; what was opened is
 * closed then.
 */
export const startIndexer = async (
  settings: IndexerSettings,
  logger: Logger,
  openSource: OpenSource,
): Promise<RunningIndexer> => {
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    await checkDatabase(settings.DATABASE_URL);
    const configured = settings.NETWORK === undefined ? null : await loadNetwork(settings.NETWORK);
    const figures = new Figures();
    const source = await openSource(settings, configured, (error) => figures.countSourceError(error));
    closers.push(() => source.close());
    const network = await determineNetwork(configured, source);
    // A source that cannot be reached is said now; once the indexer runs it waits for the source with patience.
    await source.tip();
    const pool = new Pool({
      connectionString: settings.DATABASE_URL,
      max: MAX_CONNECTIONS,
      application_name: 'roundhouse-indexer',
    });
    pool.on('error', (error) => logger.debug({ reason: error.message }, 'an idle connection failed'));
    closers.push(() => pool.end());
    await guardNetwork(pool, network);
    const backend = await openBackend(settings, logger);
    closers.push(() => backend.close());
    const app = await NestFactory.create<NestFastifyApplication>(
      IndexerModule.with({ settings, logger, pool, source, network, backend, figures }),
      new FastifyAdapter(),
      { logger: nestLogger(logger), abortOnError: false },
    );
    closers.push(() => app.close());
    const operationsUrl = await listen(app, settings);
    logger.info(
      { source: source.name, network: network.name, queues: backend.kind, operations: operationsUrl },
      'the indexer runs',
    );
    return { app, operationsUrl, halted: app.get(HaltService).halted, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
