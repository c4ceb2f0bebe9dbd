import { createServer, type Server } from 'node:http';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { traceServer } from '@roundhouse/telemetry';
import type { ApiSettings } from '../api.config.js';
import { answerUnreadable } from './client-errors.js';
import { comeBy, pathOf, requestIdOf, ROUTING, type Door } from './door.service.js';
import { problemWithStatus, refusalOf, send } from './problem.js';
import { closeSilentConnections } from './silent-connections.js';
import { wayOf, type Choice, type Way } from './way.js';

/** A client that reads nothing of its answer for this long is cut off. Slow readers are not. */
const IDLE_ANSWER_TIMEOUT_MS = 30_000;

/** Of both servers. */
const LIMITS = {
  /** For a whole request to arrive: there are no bodies to wait for. */
  requestTimeout: 30_000,
  /** For its head. It also ends a connection on which nothing arrives. */
  headersTimeout: 10_000,
  /** How often these two limits are checked. */
  connectionsCheckingInterval: 2000,
  /** Longer than a proxy keeps an idle connection (nginx: 60 s), so that no request meets a closing one. */
  keepAliveTimeout: 75_000,
  /** Node would answer a missing Host without a body. */
  requireHostHeader: false,
  /** Node would drop a second Host. */
  joinDuplicateHeaders: true,
} as const;

/** `Door` adds the hooks. */
export const createHttpServer = (): FastifyInstance => {
  const { requestTimeout, keepAliveTimeout, ...http } = LIMITS;
  return createFastify({
    requestTimeout,
    keepAliveTimeout,
    connectionTimeout: IDLE_ANSWER_TIMEOUT_MS,
    // Requests that arrive while the server closes are answered as usual.
    return503OnClosing: false,
    http,
    routerOptions: ROUTING,
    rewriteUrl: pathOf,
    genReqId: requestIdOf,
    // What Fastify would refuse before the hooks. `pathOf` leaves nothing for it.
    frameworkErrors: (_error, _request, reply) => send(reply, refusalOf(problemWithStatus(400))),
  });
};

/** Traces requests, bounds what clients may do, and answers what Node's parser refuses. */
export const guardServer = (server: Server, settings: ApiSettings, door: Door, way: Way): void => {
  door.trace = traceServer(server);
  answerUnreadable(server, way, door);
  server
    // Node would refuse an unknown expectation without a body. No expectation can fail here.
    .on('checkExpectation', (request, response) => server.emit('request', request, response))
    // A connection above the limit is closed at once; idle connections are closed to make room.
    .on('drop', () => server.closeIdleConnections());
  closeSilentConnections(server);
  server.maxConnections = settings.MAX_CONNECTIONS;
};

/** Another server in front of the same routes, for ways that have a port of their own. */
export const createServerFor = (
  choices: readonly Choice[],
  fastify: FastifyInstance,
  settings: ApiSettings,
  door: Door,
): Server => {
  const server = createServer(LIMITS, (request, response) => {
    comeBy(wayOf(choices, request), request);
    fastify.routing(request, response);
  });
  server.setTimeout(IDLE_ANSWER_TIMEOUT_MS);
  guardServer(server, settings, door, choices.at(-1)!.way);
  return server;
};
