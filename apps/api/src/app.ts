import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { nestLogger } from '@roundhouse/logging';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { ApiSettings } from './api.config.js';
import { AppModule } from './app.module.js';
import { RateLimit } from './clients/rate-limit.service.js';
import { connectDatabase } from './database/connect-database.js';
import { secureDocs } from './docs/docs-security.js';
import { setUpDocs } from './docs/openapi.js';
import { createHttpServer, guardServer } from './http/http-server.js';
import { listenOn } from './http/listening.js';
import { ProblemFilter } from './http/problem.filter.js';
import { RequestGate } from './http/request-gate.service.js';
import { Responder } from './http/responder.service.js';
import { OperationsServer } from './operations/operations.server.js';
import { setUpPageFiles } from './page/page-files.js';
import { Shutdown } from './operations/shutdown.service.js';

export interface RunningApi {
  readonly url: string;
  readonly operationsUrl: string;
  /** Stops without losing a request, within about 8 s. */
  stop(): Promise<void>;
  /** Ends as soon as the requests in flight are answered. */
  close(): Promise<void>;
}

const createApp = async (
  settings: ApiSettings,
  logger: Logger,
  dataSource: DataSource,
): Promise<NestFastifyApplication> => {
  const server = createHttpServer();
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(settings, logger, dataSource),
    new FastifyAdapter(server as never),
    { logger: nestLogger(logger), abortOnError: false },
  );
  guardServer(server, settings, app.get(RequestGate), app.get(RateLimit), app.get(Responder));
  app.useGlobalFilters(app.get(ProblemFilter));
  await secureDocs(server);
  setUpDocs(app);
  setUpPageFiles(app);
  return app;
};

/** How long `close` waits for requests in flight: a client that reads slowly must not delay it. */
const LEAVE_AFTER_MS = 5000;

/** The same for `stop`, counted from its beginning. Closing the database and the rest takes up to a second on a busy machine. */
const STOP_WITHIN_MS = 8000;

const closeWithin = async (app: NestFastifyApplication, deadlineMs: number): Promise<void> => {
  const server = app.getHttpServer();
  app.get(Shutdown).drain();
  const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await app.close();
  clearTimeout(timer);
  await app.get(OperationsServer).close();
};

const stop = async (app: NestFastifyApplication): Promise<void> => {
  const startedAt = performance.now();
  await app.get(Shutdown).stopServing(app.getHttpServer());
  await closeWithin(app, STOP_WITHIN_MS - (performance.now() - startedAt));
};

/** Starts the api; port 0 takes any free port. If it throws `OperatorError`, nothing stays open. */
export const createApiApp = async (settings: ApiSettings, logger: Logger): Promise<RunningApi> => {
  const { HOST, PORT } = settings;
  const dataSource = await connectDatabase(settings, logger);
  const app = await createApp(settings, logger, dataSource).catch(async (error: unknown) => {
    await dataSource.destroy();
    throw error;
  });
  try {
    const operationsUrl = await app.get(OperationsServer).listen();
    await listenOn('PORT', PORT, HOST, () => app.listen(PORT, HOST));
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
    return { url, operationsUrl, stop: () => stop(app), close: () => closeWithin(app, LEAVE_AFTER_MS) };
  } catch (error) {
    await closeWithin(app, LEAVE_AFTER_MS);
    throw error;
  }
};
