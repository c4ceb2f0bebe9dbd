import { randomBytes } from 'node:crypto';
import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LOGGER } from '@roundhouse/logging';
import type { ServerTrace } from '@roundhouse/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { Logger } from 'pino';
import { acceptanceOf, chainHeaders } from '../answers/answer.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import { AnswersService } from '../answers/answers.service.js';
import type { Headers } from '../answers/headers.js';
import { joinParameters } from '../answers/parameters.pipe.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { clientOf } from '../limits/client-address.js';
import { RateLimit } from '../limits/rate-limit.service.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { problemWithStatus, send, type Refusal } from './problem.js';
import { isOfVersion, LONGEST_URL, parseQuery, wayOf, type Way } from './way.js';
import { ON_MAIN_PORT } from './ways.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether only the page itself asks for it: such a file has no use for the headers of the API. */
    isOfPage?: boolean;
  }
}

/** Safe in a log line and in a header. */
const FIT = /^[\w.-]{1,128}$/;

/** Ids of different processes differ. */
const PREFIX = randomBytes(6).toString('hex');

let count = 0;

export const makeRequestId = (): string => `${PREFIX}-${(count += 1).toString(36)}`;

/** The id that a client or a proxy sent; a new one if it sent none or an unsuitable one. */
export const requestIdOf = ({
  headers: { 'x-request-id': given },
}: Pick<IncomingMessage, 'headers'>): string =>
  typeof given === 'string' && FIT.test(given) ? given : makeRequestId();

interface Coming extends IncomingMessage {
  /** Known before Fastify makes its own request. */
  way?: Way;
  /** Named once. Node has the socket under `client`. */
  clientName?: string;
}

/** Call it for each request to a port of its own. */
export const comeBy = (way: Way, request: Coming): void => void (request.way = way);

/** What the router looks up for a request. */
export const pathOf = (request: Coming): string => {
  // The parser also takes methods for which the router has no route at all, such as PRI. All of them are answered alike.
  if (!METHODS.includes(request.method!)) request.method = 'TRACE';
  const url = request.url!;
  request.way ??= wayOf(ON_MAIN_PORT, request);
  return request.way.pathOf(url);
};

/** How the router reads a path. No head of a request is as long as a parameter may be. */
export const ROUTING = {
  caseSensitive: false,
  ignoreTrailingSlash: true,
  maxParamLength: 65_536,
  // The door reads the query when it is needed.
  querystringParser: () => ({}),
} as const;

/**
 * Every request passes `onRequest` before its route, and every response `onSend`: requests of one connection wait for
 * each other, the rate limit counts, ready bytes are sent, and what no route may see is refused.
 */
@Injectable()
export class Door {
  /** Whether a path has a route, whatever the method. */
  private readonly paths = findMyWay({ ...ROUTING });
  private readonly takeTurn = takeTurns();
  private readonly hasRateLimit: boolean;
  private readonly slowFromMs: number;
  /** Null while nothing is traced. */
  trace: ServerTrace | null = null;
  /** How a refusal is told to the one that asked. */
  refusalFor = (_: FastifyRequest, refusal: Refusal): Refusal => refusal;

  constructor(
    @Inject(SETTINGS) { RATE_LIMIT, SLOW_REQUEST_MS, TRUST_PROXY }: ApiSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly rateLimit: RateLimit,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly tracker: ChainTracker,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    { httpAdapter }: HttpAdapterHost,
  ) {
    this.hasRateLimit = RATE_LIMIT > 0;
    this.slowFromMs = SLOW_REQUEST_MS || Infinity;
    const server = httpAdapter.getInstance<FastifyInstance>();
    const nameClient = clientOf(TRUST_PROXY);
    // Only when it is asked for: ready bytes need no name.
    server.decorateRequest('client', {
      getter(this: FastifyRequest) {
        const raw: Coming = this.raw;
        return (raw.clientName ??= nameClient(raw));
      },
    });
    server.addHook('onRequest', this.onRequest);
    server.addHook('onSend', this.onSend);
    server.addHook('onRoute', ({ method, url }) => {
      if ([method].flat().includes('GET') && !isOfVersion(url)) this.paths.on('GET', url, () => undefined);
    });
  }

  isKnown(url: string): boolean {
    const [path = ''] = url.split(/[?#]/, 1);
    const found = path.startsWith('/') ? this.paths.find('GET', path) : null;
    return found !== null && !Object.values(found.params).includes('');
  }

  private readonly onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { raw } = request;
    request.way = (raw as Coming).way!;
    request.route = request.routeOptions;
    request.readyKey = request.way.key + request.originalUrl;
    this.trace?.describe(raw, routeOf(request), request.id);
    this.takeTurn(raw, reply.raw, () => {
      const isCounted = this.hasRateLimit && (request.way.isCounted?.(request) ?? true);
      const wait = isCounted ? this.rateLimit.take(request.client) : null;
      // Usually nothing has to be awaited, and a ready answer goes out in the same turn of the event loop.
      if (wait === null || typeof wait === 'number') return this.admit(wait, request, reply, done);
      void wait.then((waitMs) => {
        if (!raw.socket.destroyed) this.admit(waitMs, request, reply, done);
      });
    });
  };

  /** @param waitMs how long the rate limit makes the client wait; null if it does not count the request */
  private admit(waitMs: number | null, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { way, headers, originalUrl, raw } = request;
    request.startedAt = performance.now();
    if (waitMs !== null && way.allowanceHeaders)
      reply.headers(way.allowanceHeaders(this.rateLimit.leftTo(request.client)));
    if (waitMs) {
      const retry = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
      return send(reply, way.refusalOf(problemWithStatus(429, retry)));
    }
    if (way.mayBeReady(request)) {
      const form = this.cache.findReady(request.readyKey, acceptanceOf(headers['accept-encoding']));
      if (form && this.answers.maySend(form.view))
        return void reply.send(form.begin(reply, headers['if-none-match']) ? form.body : undefined);
    }
    // Not before: a long query must cost nothing while it waits, nor when it is refused.
    request.query = parseQuery(originalUrl.length > LONGEST_URL ? '' : raw.url!);
    const refusal = way.refuse(request, (url) => this.isKnown(url));
    if (refusal) return send(reply, this.refusalFor(request, refusal));
    if (Object.keys(request.params as object).length > 0) joinParameters(request);
    done();
  }

  private readonly onSend = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    if (!reply.hasHeader('api-version') && !request.route.config.isOfPage)
      reply.headers(this.commonHeaders(request.way));
    reply.header('x-request-id', request.id);
    // While the server stops, each response closes its connection.
    if (this.shutdown.isDraining) reply.header('connection', 'close');
    if (payload instanceof Readable) payload.once('close', () => this.observe(request, reply));
    // A client that has left gets nothing, so nothing is counted.
    else if (!reply.raw.destroyed) this.observe(request, reply);
    const body = request.way.finish ? request.way.finish(request, reply, payload) : payload;
    // Fastify would say that a HEAD without a body is about one of 0 bytes.
    done(null, request.method === 'HEAD' && body === undefined ? Readable.from([]) : body);
  };

  /** The headers of a response that does not pass `onSend`. */
  headersOf(id: string, way: Way): Headers {
    return { ...this.commonHeaders(way), 'x-request-id': id };
  }

  private commonHeaders({ headers }: Way): Headers {
    return { ...headers, ...chainHeaders(this.tracker.latest?.headOrNull) };
  }

  observe(request: FastifyRequest, { statusCode: status }: FastifyReply): void {
    const { startedAt } = request;
    if (startedAt == null) return;
    request.startedAt = null;
    const durationMs = performance.now() - startedAt;
    const route = routeOf(request) ?? 'none';
    this.metrics.observeRequest(route, status, durationMs);
    if (durationMs < this.slowFromMs) return;
    const { id: requestId, parameters } = request;
    const slow = { route, parameters, status, requestId, durationMs: Math.round(durationMs) };
    this.logger.warn(slow, 'a slow request');
  }
}

/** The path's pattern; undefined if there is nothing at the path. */
const routeOf = ({ is404, route }: FastifyRequest): string | undefined => (is404 ? undefined : route.url);

const KIBIBYTE = 1024;

/** Memory limit for the waiting requests of one connection: more than a hundred requests of the usual size. */
const MOST_OF_ONE = 1024 * KIBIBYTE;

/** The limit for all connections together. */
const MOST_OF_ALL = 64 * 1024 * KIBIBYTE;

/** Measured: the memory of a request and its response, Node's and Fastify's, without the text of the request. */
const OBJECTS_BYTES = 8 * KIBIBYTE;

/** Measured: the extra memory of each name and each value of a header. */
const STRING_BYTES = 32;

const bytesHeldBy = ({ url, rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + STRING_BYTES, OBJECTS_BYTES + (url?.length ?? 0));

/** Tells Node's parser to stop after this request. */
const STOP_PARSING = 2;

/** Ends a connection and drops everything else that was read from it: one read may hold more than two thousand requests. */
const cutOff = (socket: Socket): void => {
  // Otherwise Node would parse everything it has read, and keep it until the socket has closed.
  const { parser } = socket as Socket & { readonly parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => STOP_PARSING;
  socket.destroy();
};

/** Calls `proceed` when it is the turn of this request, or never. */
type TakeTurn = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

/** The newest response of each connection, while it is being made or sent. */
const newest = new WeakMap<Socket, WeakRef<ServerResponse>>();

/** Whether a whole head of a request has come on this connection. */
export const hasAsked = (socket: Socket): boolean => newest.has(socket);

/** The last response that is still due on this connection; undefined if there is none. */
export const lastResponseOwed = (socket: Socket): ServerResponse | undefined => {
  const response = newest.get(socket)?.deref();
  // A finished response is detached from its socket. A response that waits for others has no socket yet.
  return response?.writableFinished && response.socket === null ? undefined : response;
};

/**
 * Handles the requests of one connection one after the other: each waits until the previous response is sent. So a
 * client that pipelines gets no more work done for it than others, and one that pipelines too much is cut off.
 */
const takeTurns = (): TakeTurn => {
  const heldByOne = new WeakMap<Socket, number>();
  let heldByAll = 0;
  const hold = (socket: Socket, bytes: number): void => {
    heldByOne.set(socket, (heldByOne.get(socket) ?? 0) + bytes);
    heldByAll += bytes;
  };
  return (request, response, proceed) => {
    const { socket } = request;
    newest.set(socket, new WeakRef(response));
    // A response has no socket while another one is before it.
    if (response.socket !== null) return proceed();
    const bytes = bytesHeldBy(request);
    if ((heldByOne.get(socket) ?? 0) + bytes > MOST_OF_ONE || heldByAll + bytes > MOST_OF_ALL)
      return cutOff(socket);
    if (!heldByOne.has(socket)) socket.once('close', () => hold(socket, -(heldByOne.get(socket) ?? 0)));
    hold(socket, bytes);
    response.once('socket', () => {
      hold(socket, -bytes);
      // Node is still assigning the socket to the response.
      setImmediate(() => {
        if (!socket.destroyed) proceed();
      });
    });
  };
};
