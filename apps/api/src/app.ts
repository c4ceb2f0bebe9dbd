import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApplicationConfig, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { listenOnAll, type Listener } from '@roundhouse/config';
import { nestLogger } from '@roundhouse/logging';
import type { WebAssets } from '@roundhouse/web';
import type { Logger } from 'pino';
import type { ApiSettings } from './api.config.js';
import { AppModule } from './app.module.js';
import { connectDatabase, type Database } from './database/connect-database.js';
import { secureDocs, setUpDocs } from './docs/openapi.js';
import { ParametersPipe } from './answers/parameters.pipe.js';
import { CONTRACT } from './http/way.js';
import { Door } from './http/door.service.js';
import { createHttpServer, createServerFor, guardServer } from './http/servers.js';
import { PORTS } from './http/ways.js';
import { ProblemFilter } from './http/problem.filter.js';
import { createOperationsApp } from './operations/operations-app.js';
import { setUpPageFiles, WEB_ASSETS } from './page/page-files.js';
import { tellPeople } from './page/trouble.filter.js';
import { Shutdown } from './operations/shutdown.service.js';

export interface RunningApi {
  readonly url: string;
  readonly operationsUrl: string;
  /** Null without `CORE_V1_PORT`. */
  readonly coreV1Url: string | null;
  /** Null without `CORE_V2_PORT`. */
  readonly coreV2Url: string | null;
  /** Stops without losing a request, within about 8 s. */
  stop(): Promise<void>;
  /** Ends as soon as the requests in flight are answered. */
  close(): Promise<void>;
}

const createApp = async (
  settings: ApiSettings,
  logger: Logger,
  database: Database,
): Promise<NestFastifyApplication> => {
  const server = createHttpServer();
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(settings, logger, database),
    new FastifyAdapter(server as never),
    { logger: nestLogger(logger), abortOnError: false },
  );
  const door = app.get(Door);
  guardServer(server.server, settings, door, CONTRACT);
  // Before those that a module registers: a pipe of its own gets what this one has read, and its filter comes first.
  const config = app.get(ApplicationConfig);
  config.getGlobalPipes().unshift(app.get(ParametersPipe));
  config.getGlobalFilters().unshift(app.get(ProblemFilter));
  secureDocs(server);
  setUpDocs(app);
  setUpPageFiles(app);
  tellPeople(door, app.get<WebAssets>(WEB_ASSETS));
  return app;
};

/** How long `close` waits for requests in flight: a client that reads slowly must not delay it. */
const LEAVE_AFTER_MS = 5000;

/** The same for `stop`, counted from its beginning. Closing the database and the rest takes up to a second on a busy machine. */
const STOP_WITHIN_MS = 8000;

type PortSetting = keyof typeof PORTS;

const PORT_SETTINGS = Object.keys(PORTS) as PortSetting[];

const urlOf = (server: Server, host: string): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;

/** Starts the api; port 0 takes any free port. If it throws `OperatorError`, nothing stays open. */
export const createApiApp = async (settings: ApiSettings, logger: Logger): Promise<RunningApi> => {
  const { HOST, PORT, OPS_PORT } = settings;
  const database = await connectDatabase(settings, logger);
  const app = await createApp(settings, logger, database).catch(async (error: unknown) => {
    await database.dataSource.destroy();
    throw error;
  });
  const operations = await createOperationsApp(app, logger);
  const shutdown = app.get(Shutdown);
  const main: Server = app.getHttpServer();
  const fastify = app.getHttpAdapter().getInstance();
  const others = PORT_SETTINGS.flatMap((setting) => {
    const port = settings[setting];
    if (port === undefined) return [];
    return [
      { setting, port, server: createServerFor(PORTS[setting](settings), fastify, settings, app.get(Door)) },
    ];
  });
  const servers = [main, ...others.map(({ server }) => server)];
  const urlOfPort = (setting: PortSetting): string | null => {
    const server = others.find((other) => other.setting === setting)?.server;
    return server ? urlOf(server, HOST) : null;
  };

  const closeWithin = async (deadlineMs: number): Promise<void> => {
    shutdown.drain();
    const timer = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), deadlineMs);
    // Before the database is closed with the rest.
    for (const { server } of others)
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    await app.close();
    clearTimeout(timer);
    await operations.close();
  };

  const listeners: Listener[] = [
    { setting: 'OPS_PORT', port: OPS_PORT, listen: () => operations.listen(OPS_PORT, HOST) },
    // Makes the application ready first, for which the other ports must wait.
    { setting: 'PORT', port: PORT, listen: () => app.listen(PORT, HOST) },
    ...others.map(({ setting, port, server }) => ({
      setting,
      port,
      listen: () => once(server.listen(port, HOST), 'listening'),
    })),
  ];
  try {
    await listenOnAll(HOST, listeners);
  } catch (error) {
    await closeWithin(LEAVE_AFTER_MS);
    throw error;
  }
  return {
    url: urlOf(main, HOST),
    operationsUrl: urlOf(operations.getHttpServer(), HOST),
    coreV1Url: urlOfPort('CORE_V1_PORT'),
    coreV2Url: urlOfPort('CORE_V2_PORT'),
    stop: async () => {
      const startedAt = performance.now();
      await Promise.all(servers.map((server) => shutdown.stopServing(server)));
      await closeWithin(STOP_WITHIN_MS - (performance.now() - startedAt));
    },
    close: () => closeWithin(LEAVE_AFTER_MS),
  };
};
