import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LOGGER, nestLogger } from '@roundhouse/logging';
import { operationsControllers, ReadinessCheck, ScrapedMetrics } from '@roundhouse/operations';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { listen, openIndexPool, type RunningIndexer } from '../indexer.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { ReaderWatchdog } from '../leader/reader-watchdog.service.js';
import { Stopping } from '../stopping.service.js';
import { Deliveries } from '../webhooks/deliveries.service.js';
import { FrozenMetrics, FrozenReadiness } from './frozen-health.service.js';
import { Prover } from './prover.service.js';

const MAX_CONNECTIONS = 2;

@Module({})
class FrozenModule {}

const never = new Promise<never>(() => undefined);

/**
 * What is left of an indexer once its chain has ended: it proves the index if that is not done yet, posts what still waits
 * for webhooks, and shows health and metrics. It has no source and no queues, and writes nothing once that is done.
 */
export const startFrozen = async (
  settings: IndexerSettings,
  logger: Logger,
  stopping: Stopping,
): Promise<RunningIndexer> => {
  const pool = openIndexPool(settings, logger, {
    max: MAX_CONNECTIONS,
    application_name: 'roundhouse-frozen',
  });
  const providers = [
    { provide: SETTINGS, useValue: settings },
    { provide: LOGGER, useValue: logger },
    { provide: Pool, useValue: pool },
    { provide: Stopping, useValue: stopping },
    { provide: ReadinessCheck, useClass: FrozenReadiness },
    { provide: ScrapedMetrics, useClass: FrozenMetrics },
    Deliveries,
    Prover,
    ReaderWatchdog,
  ];
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: FrozenModule, controllers: operationsControllers, providers },
    new FastifyAdapter({ forceCloseConnections: true }),
    { logger: nestLogger(logger), abortOnError: false, bodyParser: false },
  );
  const stop = async (): Promise<void> => {
    stopping.begin();
    await stopping.step('closing the application', () => app.close());
    await stopping.step('closing the database connections', () => pool.end());
  };
  try {
    const operationsUrl = await listen(app, null, settings);
    logger.info({ operations: operationsUrl }, 'the chain of this index has ended: no source is asked');
    return { app, operationsUrl, webhooksPort: null, halted: never, ended: never, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
