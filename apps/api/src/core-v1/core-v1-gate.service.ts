import { Inject, Injectable } from '@nestjs/common';
import { NodeRefusal, readNodeQuery, writeNodeAnswer } from '@roundhouse/dto/core-v1';
import type { ServerTrace } from '@roundhouse/telemetry';
import { QueryTooLongError } from '@roundhouse/readers';
import { acceptanceOf } from '../answers/acceptance.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import { JSON_TYPE, SUPPORTED_VERSION } from '../answers/answer-headers.js';
import type { AnswerRequest, Writing } from '../answers/answer-request.js';
import { AnswerForm } from '../answers/answer.js';
import { AnswersService } from '../answers/answers.service.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import type { Exchange } from '../http/exchange.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { hasFitHost, LONGEST_URL } from '../http/request-target.js';
import { Responder } from '../http/responder.service.js';
import { StreamedAnswers } from '../http/streamed-answers.service.js';
import { clientHostOf } from './client-host.js';
import {
  GREETING,
  httpError,
  NOT_FOUND,
  POST_REFUSED,
  preflight,
  redirectTo,
  refusal,
  UNSUPPORTED_PATH_VERSION,
  UNSUPPORTED_VERSION,
  type CoreV1Reply,
} from './core-v1-reply.js';
import type { CoreV1Route, RouteGroup } from './core-v1-route.js';
import { parseCoreV1Target, readApiPath, type CoreV1Target } from './core-v1-target.js';
import { versionInHeaders, versionInQuery } from './requested-version.js';

/** The injection token of all groups of routes. */
export const ROUTE_GROUPS = Symbol("groups of the routes of Core's version 1");

/** The version that is answered here. A node also has version 2, with other paths. */
const ANSWERED_VERSION = 1;

const NODE_VERSIONS = [1, 2];

/** Paths, beside `/api/transactions`, to which clients post. */
const POST_PATH = '/peer/transactions';

const TOO_DEEP = refusal({
  error: 'This list is too long to be read so far: ask for a smaller offset or with other filters.',
  success: false,
});

const WRITING: Writing<object> = { contentType: JSON_TYPE, headers: [], write: writeNodeAnswer };

interface FoundRoute {
  readonly route: CoreV1Route;
  readonly target: CoreV1Target;
}

/** Answers as a Core 2.4.15 node did: requests below `/api/v1`, and all requests of `CORE_V1_PORT`. */
@Injectable()
export class CoreV1Gate {
  private readonly routes: ReadonlyMap<string, CoreV1Route>;

  constructor(
    @Inject(ROUTE_GROUPS) groups: readonly RouteGroup[],
    private readonly tracker: ChainTracker,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly problems: ProblemFilter,
    private readonly responder: Responder,
    private readonly streamed: StreamedAnswers,
  ) {
    this.routes = new Map(groups.flatMap(({ routes }) => routes.map((route) => [route.path, route])));
  }

  /** @param isOwnPort whether the request came to `CORE_V1_PORT` */
  admit(exchange: Exchange, isOwnPort: boolean, trace: ServerTrace | null): void {
    // The contract has other answers at the same URLs.
    const url = isOwnPort ? `v1 ${exchange.request.url}` : exchange.request.url!;
    const verdict = this.findReady(exchange, url) ?? this.judge(exchange, isOwnPort);
    trace?.describe(exchange.request, exchange.route, exchange.id);
    if (verdict instanceof AnswerForm) this.responder.sendAnswer(exchange, verdict);
    else if ('status' in verdict) this.send(exchange, verdict);
    else void this.ask(exchange, verdict, url);
  }

  private findReady(exchange: Exchange, url: string): AnswerForm | undefined {
    const { method, headers } = exchange.request;
    const { 'api-version': version, accept = '', host } = headers;
    const isPlain =
      (method === 'GET' || method === 'HEAD') &&
      (version === undefined || version === SUPPORTED_VERSION) &&
      !accept.startsWith('application/vnd.') &&
      host !== undefined &&
      hasFitHost(exchange.request);
    const ready = isPlain ? this.cache.findReady(url, acceptanceOf(headers['accept-encoding'])) : undefined;
    if (!ready || !this.answers.maySend(ready.view)) return undefined;
    exchange.route = ready.route;
    return ready;
  }

  /** The route to ask, or what to reply at once. */
  private judge(exchange: Exchange, isOwnPort: boolean): FoundRoute | CoreV1Reply {
    const { request } = exchange;
    const { method, url = '', headers } = request;
    if (!hasFitHost(request)) return httpError(400, 'The request must have one Host header.');
    if (url.length > LONGEST_URL) return httpError(414, 'The URL is too long.');
    const target = parseCoreV1Target(url);
    if (!target) return httpError(400, 'The URL has a broken percent-encoding.');
    const { path, sentPath, search } = target;
    const place = readApiPath(path);
    if (method === 'OPTIONS') return preflight(headers['access-control-request-headers']);
    const isPost = method === 'POST';
    if (isPost && (place?.route === 'transactions' || (isOwnPort && path === POST_PATH))) return POST_REFUSED;
    if (method !== 'GET' && method !== 'HEAD') return NOT_FOUND;
    if (path === '/') return GREETING;
    if (!place) return NOT_FOUND;
    if (sentPath.endsWith('/')) return redirectTo(sentPath.slice(0, -1) + search);
    const refused = refusedVersion(place.version, versionInHeaders(headers), target);
    if (refused) return refused;
    const route = this.routes.get(place.route);
    if (!route) return NOT_FOUND;
    exchange.route = `/api/v1/${route.path}`;
    return { route, target };
  }

  private async ask(exchange: Exchange, { route, target }: FoundRoute, url: string): Promise<void> {
    try {
      const request = await this.requestFor(exchange, route, target);
      const acceptance = acceptanceOf(exchange.request.headers['accept-encoding']);
      const get = () => this.answers.get(request, acceptance, exchange);
      const answer = await get();
      // A URL with a version has another meaning with another header.
      if (!route.namesHost && !target.query.has('version')) this.cache.noteSent(request.key, url);
      if (answer instanceof AnswerForm) this.responder.sendAnswer(exchange, answer);
      else if (!this.responder.sendHeadersOnly(exchange, answer)) await this.streamed.send(exchange, get);
    } catch (error) {
      this.send(exchange, this.replyTo(error, exchange));
    }
  }

  private async requestFor(
    exchange: Exchange,
    route: CoreV1Route,
    target: CoreV1Target,
  ): Promise<AnswerRequest> {
    const { network, constants } = await this.tracker.current();
    const facts = { pubKeyHash: network.pubKeyHash, activeDelegates: constants.activeDelegates };
    const parameters = readNodeQuery(route.rules, target.query, facts);
    exchange.parameters = parameters;
    const host = clientHostOf(exchange.request);
    const { followsSource, namesHost } = route;
    return {
      key: `v1 ${route.path} ${JSON.stringify(parameters)}${namesHost ? ` ${host.ip} ${host.port}` : ''}`,
      route: exchange.route!,
      writing: WRITING,
      makeContent: route.answer(parameters, host),
      followsSource,
      isKept: !namesHost,
    };
  }

  private replyTo(error: unknown, exchange: Exchange): CoreV1Reply {
    if (error instanceof NodeRefusal) return refusal(error.body);
    if (error instanceof QueryTooLongError) return TOO_DEEP;
    const { status, error: message, headers } = this.problems.explain(error, exchange);
    return httpError(status, status === 500 ? 'An internal server error occurred' : message, headers);
  }

  private send(exchange: Exchange, { status, body, headers = [] }: CoreV1Reply): void {
    this.responder.sendJson(exchange, status, Buffer.from(body), headers);
  }
}

/** The reply to a version that is not answered; undefined for version 1. A version in the path beats the headers. */
const refusedVersion = (
  inPath: number | null,
  inHeaders: number | null,
  { query }: CoreV1Target,
): CoreV1Reply | undefined => {
  if (inHeaders !== null && !NODE_VERSIONS.includes(inHeaders)) return UNSUPPORTED_VERSION;
  if (inPath !== null && !NODE_VERSIONS.includes(inPath)) return UNSUPPORTED_PATH_VERSION;
  const version = inPath ?? inHeaders ?? versionInQuery(query) ?? ANSWERED_VERSION;
  if (version === ANSWERED_VERSION) return undefined;
  return NODE_VERSIONS.includes(version) ? NOT_FOUND : UNSUPPORTED_VERSION;
};
