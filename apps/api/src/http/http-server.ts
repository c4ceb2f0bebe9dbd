import { fastify, type FastifyInstance } from 'fastify';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { traceServer } from '@roundhouse/telemetry';
import type { ApiSettings } from '../api.config.js';
import { clientOf, type ClientOf } from '../clients/client-address.js';
import type { RateLimit } from '../clients/rate-limit.service.js';
import type { CoreV1Gate } from '../core-v1/core-v1-gate.service.js';
import { problemInCoreV1 } from '../core-v1/core-v1-reply.js';
import { boundPipelining } from './bound-pipelining.js';
import { clientErrorHandler, endWithProblem, problemOfMethod } from './client-errors.js';
import { Exchange, makeRequestId, requestIdOf } from './exchange.js';
import { problemBody, tooManyRequests, type WriteProblem } from './problem.js';
import { originForm } from './request-target.js';
import type { RequestGate } from './request-gate.service.js';
import type { Responder } from './responder.service.js';

/** Answers a request or passes it on, immediately or later. */
export type Step = (request: IncomingMessage, response: ServerResponse, pass: RequestListener) => void;

/** The time limit for a whole request to arrive: there are no bodies to wait for. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The time limit for its head. It also ends a connection on which nothing arrives. */
const HEADERS_TIMEOUT_MS = 10_000;

/** How often these two limits are checked. */
const CHECK_EVERY_MS = 2000;

/** A client that reads nothing of its answer for this long is cut off. Slow readers are not. */
const IDLE_ANSWER_TIMEOUT_MS = 30_000;

/** Longer than a proxy keeps an idle connection (nginx: 60 s), so that no request meets a closing one. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

export const createHttpServer = (): FastifyInstance =>
  fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_ANSWER_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Requests that arrive while the server closes are answered as usual.
    return503OnClosing: false,
    http: {
      // Node would answer a missing Host without a body; the gate answers it.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '' }) => originForm(url),
  });

interface Guards {
  readonly settings: ApiSettings;
  readonly clientOf: ClientOf;
  readonly rateLimit: RateLimit;
  readonly responder: Responder;
  readonly isKnown: (path: string) => boolean;
  readonly write: WriteProblem;
}

/** Counts every request that the parser understood, including cached answers and failures. */
const limitRate =
  ({ clientOf, rateLimit, responder, write }: Guards): Step =>
  (request, response, pass) => {
    const proceed = (waitMs: number): void => {
      if (waitMs === 0) pass(request, response);
      else
        responder.sendProblem(
          new Exchange(request, response, clientOf),
          tooManyRequests(Math.ceil(waitMs / 1000)),
          write,
        );
    };
    const wait = rateLimit.take(request);
    // Usually nothing has to be awaited, and a ready answer goes out in the same turn of the event loop.
    if (typeof wait === 'number') return proceed(wait);
    void wait.then((waitMs) => {
      if (!request.socket.destroyed) proceed(waitMs);
    });
  };

/** Runs these steps for each request, in this order, before Fastify sees it. */
const putBefore = (server: Server, steps: readonly Step[]): void => {
  const [fastifyListener] = server.listeners('request') as [RequestListener];
  const first = steps.reduceRight<RequestListener>(
    (pass, step) => (request, response) => step(request, response, pass),
    fastifyListener,
  );
  server.removeAllListeners('request').on('request', first);
};

/** A connection above the limit is closed at once; idle connections are closed to make room. */
const boundConnections = (server: Server, most: number): void => {
  server.maxConnections = most;
  server.on('drop', () => server.closeIdleConnections());
};

/** Bounds what clients may do, answers what Node's parser refuses, and puts `admit` before everything else. */
const guardConnections = (server: Server, guards: Guards, admit: Step): void => {
  const { settings, responder, isKnown, write } = guards;
  server
    .removeAllListeners('clientError')
    .on(
      'clientError',
      clientErrorHandler(isKnown, write, () => responder.headersNow(makeRequestId())),
    )
    // CONNECT arrives as a separate event, with only the socket to answer on.
    .on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
      const id = requestIdOf(headers['x-request-id']);
      endWithProblem(socket, problemOfMethod(url, isKnown), write, responder.headersNow(id));
    })
    // Node would refuse an unknown expectation without a body. No expectation can fail here.
    .on('checkExpectation', (request, response) => server.emit('request', request, response));
  boundConnections(server, settings.MAX_CONNECTIONS);
  putBefore(server, [boundPipelining(), ...(settings.RATE_LIMIT > 0 ? [limitRate(guards)] : []), admit]);
};

/** Replaces Fastify's and Node's decisions with the contract's. Call it before the routes are registered. */
export const guardServer = (
  fastifyServer: FastifyInstance,
  settings: ApiSettings,
  gate: RequestGate,
  rateLimit: RateLimit,
  responder: Responder,
): void => {
  const { server } = fastifyServer;
  gate.watchRoutes(fastifyServer, traceServer(server));
  fastifyServer.addHook('onSend', (_request, reply, payload, done) => {
    responder.addHeaders(reply);
    done(null, payload);
  });
  const isKnown = (path: string): boolean => gate.isKnown(path);
  const of = clientOf(settings.TRUST_PROXY);
  const guards = { settings, clientOf: of, rateLimit, responder, isKnown, write: problemBody };
  guardConnections(server, guards, gate.admit);
};

/** The server of `CORE_V1_PORT`: the same limits, and nothing but Core's version 1 behind them. */
export const createCoreV1Server = (
  settings: ApiSettings,
  coreV1: CoreV1Gate,
  rateLimit: RateLimit,
  responder: Responder,
): Server => {
  // Fastify only configures it, and sees no request.
  const { server } = createHttpServer();
  const trace = traceServer(server);
  const of = clientOf(settings.TRUST_PROXY);
  const guards = {
    ...{ settings, clientOf: of, rateLimit, responder },
    isKnown: () => false,
    write: problemInCoreV1,
  };
  guardConnections(server, guards, (request, response) =>
    coreV1.admit(new Exchange(request, response, of), true, trace),
  );
  return server;
};
