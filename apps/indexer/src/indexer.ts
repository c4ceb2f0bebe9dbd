import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { curve, harmlessMilestonesNote, type Network } from '@roundhouse/chain';
import { areQueuesMigrated, checkRedis, openQueueBackend, type QueueBackend } from '@roundhouse/jobs';
import { nestLogger } from '@roundhouse/logging';
import { loadNetwork, NodeUnavailableError, type BlockSource, type SourceEvents } from '@roundhouse/source';
import { logSlowQueries } from '@roundhouse/telemetry';
import type { Pool, PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { connectionLimits, listenOnAll, openPool, OperatorError } from '@roundhouse/config';
import { sessionOptions } from '@roundhouse/entities';
import { checkDatabase } from './database/check-database.js';
import { planEnd } from './frozen/end-of-settings.js';
import { EndWatch } from './frozen/end-watch.service.js';
import { HaltService } from './halt.service.js';
import type { IndexerSettings } from './indexer.config.js';
import { IndexerModule, type IndexerResources } from './indexer.module.js';
import { CurrentNetwork } from './follow/current-state.js';
import { acceptNetwork } from './network/accept-network.js';
import { determineNetwork, guardNetwork } from './network/network-guard.js';
import { sayHistory } from './logging/say-history.js';
import { saySometimes } from './logging/say-sometimes.js';
import { Metrics } from './operations/metrics.service.js';
import { mountQueueBoard } from './operations/queue-board.js';
import { sourceEvents } from './operations/source-events.js';
import { SourcePauses } from './operations/source-pauses.js';
import { Stopping } from './stopping.service.js';
import { managementServer } from './webhooks/management.server.js';

export type OpenSource = (
  settings: IndexerSettings,
  network: Network | null,
  events: SourceEvents,
) => Promise<BlockSource>;

export interface RunningIndexer {
  readonly app: NestFastifyApplication;
  /** Where health and metrics are. */
  readonly operationsUrl: string;
  /** Where webhooks are registered; null if they are not. */
  readonly webhooksPort: number | null;
  /** Resolves with the reason if the indexer cannot go on; the caller stops it. */
  readonly halted: Promise<Error>;
  /** Resolves when the chain has ended, so that no source is needed: the caller stops it and calls `startFrozen`. */
  readonly ended: Promise<void>;
  /** Ends everything in order; failures are logged. */
  stop(): Promise<void>;
}

/** For everything except the writer and the queues. */
const MAX_CONNECTIONS = 4;

const openBackend = async (settings: IndexerSettings, logger: Logger): Promise<QueueBackend> => {
  const { DATABASE_URL: databaseUrl, REDIS_URL } = settings;
  if (REDIS_URL !== undefined) {
    const warning = await checkRedis(REDIS_URL);
    if (warning !== null) logger.warn(warning);
  } else if (!(await areQueuesMigrated(databaseUrl))) {
    throw new OperatorError('The queue tables are missing in the database: run "indexer migrate" first.');
  }
  return openQueueBackend({
    databaseUrl,
    redisUrl: REDIS_URL ?? null,
    onError: saySometimes((reason) =>
      logger.warn({ reason }, 'a connection of the queues failed; trying again'),
    ),
  });
};

/** Of a running indexer, for everything but long work. */
export const openIndexPool = (
  { DATABASE_URL, SLOW_QUERY_MS }: IndexerSettings,
  logger: Logger,
  options: Pick<PoolConfig, 'max' | 'application_name'>,
): Pool => {
  const pool = openPool(
    { connectionString: DATABASE_URL, options: sessionOptions(), ...options, ...connectionLimits },
    (error) => logger.debug({ reason: error.message }, 'an idle connection failed'),
  );
  logSlowQueries(pool, SLOW_QUERY_MS, logger);
  return pool;
};

/** Opens all ports. Returns where health and metrics are. */
export const listen = async (
  app: NestFastifyApplication,
  webhooks: Server | null,
  { HOST, OPS_PORT, CORE_WEBHOOKS_PORT = 0 }: IndexerSettings,
): Promise<string> => {
  await listenOnAll(HOST, [
    { setting: 'OPS_PORT', port: OPS_PORT, listen: () => app.listen(OPS_PORT, HOST) },
    ...(webhooks === null
      ? []
      : [
          {
            setting: 'CORE_WEBHOOKS_PORT',
            port: CORE_WEBHOOKS_PORT,
            listen: () => once(webhooks.listen(CORE_WEBHOOKS_PORT, HOST), 'listening'),
          },
        ]),
  ]);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
};

/** Larger than a block with its transactions, which is what a webhook posts. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The content of a webhook is ignored, so no body is parsed. */
const ignoreBodies = (app: NestFastifyApplication): void => {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
};

/** Another process on this machine may have used up the node's request limit: a start then waits instead of failing. */
const TRY_AGAIN_MS = 1_000;

/** Repeats `ask` while the node grants no more requests. Other errors are thrown. */
const whenGranted = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NodeUnavailableError) || error.retryAfterMs === undefined) throw error;
      await wait(Math.min(error.retryAfterMs, TRY_AGAIN_MS));
    }
  }
};

interface Closer {
  readonly step: string;
  readonly close: () => Promise<void>;
}

/** Opens and checks everything that the operator may have set wrong. What is open is in `closers`. */
const openResources = async (
  settings: IndexerSettings,
  logger: Logger,
  openSource: OpenSource,
  closers: Closer[],
): Promise<Omit<IndexerResources, 'stopping' | 'lastHeight'>> => {
  await checkDatabase(settings.DATABASE_URL);
  const configured = settings.NETWORK === undefined ? null : await loadNetwork(settings.NETWORK);
  const metrics = new Metrics();
  const pauses = new SourcePauses();
  // Until the index is open, nothing is stored.
  let accept: (told: Network) => Promise<void> = async () => undefined;
  const source = await openSource(settings, configured, {
    ...sourceEvents(logger, metrics, pauses),
    acceptNetwork: (told) => accept(told),
  });
  closers.push({ step: 'closing the source', close: () => source.close() });
  const network = await whenGranted(() => determineNetwork(configured, source));
  logger.info({ verify: settings.VERIFY, by: curve.name }, 'blocks are verified');
  const note = harmlessMilestonesNote(network);
  if (note !== null) logger.info({ network: network.name }, note);
  // An unreachable source is an error now; once the indexer runs, it waits for the source.
  await whenGranted(() => source.tip());
  const pool = openIndexPool(settings, logger, {
    max: MAX_CONNECTIONS,
    application_name: 'roundhouse-indexer',
  });
  closers.push({ step: 'closing the database connections', close: () => pool.end() });
  await guardNetwork(pool, network);
  await planEnd(pool, settings, logger);
  await sayHistory(pool, settings.HISTORY, logger);
  const currentNetwork = new CurrentNetwork(pool, network);
  accept = (told) => acceptNetwork(currentNetwork, told, pool, logger);
  const backend = await openBackend(settings, logger);
  closers.push({ step: 'closing the connections of the queues', close: () => backend.close() });
  return { settings, logger, pool, source, network, backend, metrics, pauses, currentNetwork };
};

const openManagement = ({
  settings,
  pool,
  logger,
}: Pick<IndexerResources, 'settings' | 'pool' | 'logger'>) =>
  settings.CORE_WEBHOOKS_PORT === undefined
    ? null
    : managementServer(pool, settings.CORE_WEBHOOKS_WHITELIST, logger);

/** Ends a server and its connections. */
const closed = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const ended = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await ended;
};

/** Settles as `work` does, or rejects when `signal` is aborted. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
};

/**
 * Checks everything that the operator may have set wrong, then starts. If it throws, nothing runs and everything is
 * closed. If `stopping` begins before anything runs, it throws the reason of its signal at once. Blocks above
 * `lastHeight` are not indexed.
 */
export const startIndexer = async (
  settings: IndexerSettings,
  logger: Logger,
  openSource: OpenSource,
  stopping = new Stopping(logger),
  lastHeight: number | null = null,
): Promise<RunningIndexer> => {
  const closers: Closer[] = [];
  const stop = async (): Promise<void> => {
    stopping.begin();
    for (let closer = closers.pop(); closer; closer = closers.pop()) {
      await stopping.step(closer.step, closer.close);
    }
  };
  try {
    const resources = await unlessAborted(
      openResources(settings, logger, openSource, closers),
      stopping.signal,
    );
    const app = await NestFactory.create<NestFastifyApplication>(
      IndexerModule.with({
        ...resources,
        stopping,
        lastHeight: lastHeight ?? (settings.FINAL_HEIGHT || null),
      }),
      new FastifyAdapter({ bodyLimit: MAX_BODY_BYTES }),
      { logger: nestLogger(logger), abortOnError: false, bodyParser: false },
    );
    ignoreBodies(app);
    await mountQueueBoard(app);
    closers.push({ step: 'closing the application', close: () => app.close() });
    const webhooks = openManagement(resources);
    if (webhooks !== null)
      closers.push({ step: 'closing the port of webhooks', close: () => closed(webhooks) });
    const operationsUrl = await listen(app, webhooks, settings);
    const { source, network, backend } = resources;
    logger.info(
      { source: source.name, network: network.name, queues: backend.kind, operations: operationsUrl },
      'the indexer runs',
    );
    const webhooksPort = (webhooks?.address() as AddressInfo | null)?.port ?? null;
    const [{ halted }, { ended }] = [app.get(HaltService), app.get(EndWatch)];
    return { app, operationsUrl, webhooksPort, halted, ended, stop };
  } catch (error) {
    if (!stopping.signal.aborted) await stop();
    throw error;
  }
};
