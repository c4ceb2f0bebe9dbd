import { fastify, type FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiSettings } from '../api.config.js';
import type { RateLimit } from '../clients/rate-limit.service.js';
import { boundPipelining } from './bound-pipelining.js';
import { boundConnections } from './bound-connections.js';
import { answerBeforeRouting } from './answer-before-routing.js';
import { clientErrorHandler, endWithProblem, noteResponses, problemOfMethod } from './client-errors.js';
import { MALFORMED_URL } from './problem.js';
import { limitRate } from './limit-rate.js';
import { makeRequestId, requestIdOf } from './request-id.js';
import { originForm } from './request-target.js';
import type { RequestGate } from './request-gate.service.js';
import type { Responder } from './responder.service.js';
import { traceRequests } from './trace-requests.js';

/** What the server needs of the application, which is made after it. */
export interface HttpParts {
  readonly gate: RequestGate;
  readonly rateLimit: RateLimit;
  readonly responder: Responder;
}

/** How long a whole request may take to arrive: there are no bodies to wait for. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The same for its head. A connection on which nothing comes at all ends by it, too. */
const HEADERS_TIMEOUT_MS = 10_000;

/** How often the two are looked at. */
const LOOK_EVERY_MS = 2000;

/** How long a client may take nothing of its answer. Whoever reads, however slowly, is left alone. */
const IDLE_ANSWER_TIMEOUT_MS = 30_000;

/** Longer than a proxy keeps an idle connection, which would else send a request into its end. nginx: 60 s. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Fastify with the contract's decisions in place of its own (its hooks run before all that Nest adds). */
export const createHttpServer = async (
  { MAX_CONNECTIONS, RATE_LIMIT }: ApiSettings,
  parts: () => HttpParts,
): Promise<FastifyInstance> => {
  const isKnown = (path: string): boolean => parts().gate.isKnown(path);
  const headersNow = (requestId: string) => parts().responder.headersNow(requestId);
  const server = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_ANSWER_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // What still arrives while the server closes is answered as ever.
    return503OnClosing: false,
    // Node would answer a missing Host without a body; the gate does it.
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: LOOK_EVERY_MS,
    },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '' }) => originForm(url),
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    clientErrorHandler: clientErrorHandler(isKnown, () => headersNow(makeRequestId())),
    frameworkErrors: (_error, _request, reply) => {
      parts().responder.sendProblem(reply, MALFORMED_URL);
    },
  });
  // CONNECT comes as an event of its own, with nothing but the socket to answer on.
  server.server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    endWithProblem(socket, problemOfMethod(url, isKnown), headersNow(requestIdOf(headers['x-request-id'])));
  });
  boundConnections(server.server, MAX_CONNECTIONS);
  // Node would refuse it without a body. There is nothing that we could fail to expect.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  server.decorateRequest('target', null);
  // Before all that may answer.
  const isTracing = traceRequests(server);
  // A trace has to see every request.
  if (!isTracing) answerBeforeRouting(server, () => parts().gate);
  if (RATE_LIMIT > 0) limitRate(server, parts);
  boundPipelining(server.server);
  // Of those that wait for their turn, too.
  noteResponses(server.server);
  server.addHook('onRequest', (request, reply, done) => parts().gate.handle(request, reply, done));
  server.addHook('onSend', (_request, reply, payload, done) => {
    parts().responder.addHeaders(reply);
    done(null, payload);
  });
  return server;
};
