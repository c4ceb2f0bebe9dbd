import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { nestLogger } from '@roundhouse/logging';
import { operationsControllers, ReadinessCheck, ScrapedMetrics } from '@roundhouse/operations';
import type { Logger } from 'pino';
import { Metrics } from './metrics.service.js';
import { Readiness } from './readiness.service.js';

@Module({ controllers: operationsControllers })
class OperationsModule {}

/** Health and metrics of the api on `OPS_PORT`, never on the public port. `app.ts` stops it last. */
export const createOperationsApp = (
  api: INestApplicationContext,
  logger: Logger,
): Promise<NestFastifyApplication> => {
  const providers = [
    { provide: ReadinessCheck, useValue: api.get(Readiness) },
    { provide: ScrapedMetrics, useValue: api.get(Metrics) },
  ];
  return NestFactory.create<NestFastifyApplication>(
    { module: OperationsModule, providers },
    new FastifyAdapter({ forceCloseConnections: true }),
    { logger: nestLogger(logger), abortOnError: false, bodyParser: false },
  );
};
