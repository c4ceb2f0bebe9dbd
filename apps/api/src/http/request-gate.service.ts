import { Inject, Injectable } from '@nestjs/common';
import { parseQuery } from '@roundhouse/dto';
import type { ServerTrace } from '@roundhouse/telemetry';
import type { FastifyInstance } from 'fastify';
import { acceptanceOf } from '../answers/acceptance.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import { SUPPORTED_VERSION } from '../answers/answer-headers.js';
import { AnswerForm, StreamedForm } from '../answers/answer.js';
import { AnswersService } from '../answers/answers.service.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { clientOf, type ClientOf } from '../clients/client-address.js';
import { Endpoints, type EndpointRoute } from '../answers/endpoints.service.js';
import { CoreV1Gate } from '../core-v1/core-v1-gate.service.js';
import { isCoreV1Url } from '../core-v1/core-v1-target.js';
import { Exchange, keepForFastify } from './exchange.js';
import type { Step } from './http-server.js';
import { MALFORMED_URL, METHOD_NOT_ALLOWED, UNKNOWN_PATH, URI_TOO_LONG, type Problem } from './problem.js';
import { ProblemFilter } from './problem.filter.js';
import {
  canonicalPath,
  hasFitHost,
  LONGEST_URL,
  matchesRoute,
  parseRequestTarget,
  pathParameters,
} from './request-target.js';
import { Responder } from './responder.service.js';
import { StreamedAnswers } from './streamed-answers.service.js';

const UNSUPPORTED_VERSION: Problem = {
  status: 400,
  error: `The header API-Version must be ${SUPPORTED_VERSION}, the supported version, or absent.`,
};

const UNFIT_HOST: Problem = {
  status: 400,
  error: 'The request must have one Host header, with a host and at most a port.',
};

const PREFLIGHT = Symbol('preflight');

/**
 * Sees every request first, before Fastify: sends ready bytes, refuses what the contract refuses, and calls the
 * endpoints. It passes on only well-formed GET and HEAD requests for known paths that are not endpoints.
 */
@Injectable()
export class RequestGate {
  /** The pattern of each route, by its path, by its segments if some are parameters, or by its folder. */
  private readonly paths = new Map<string, string>();
  private readonly patterns = new Map<readonly string[], string>();
  private readonly folders = new Map<string, string>();
  private readonly clientOf: ClientOf;
  private trace: ServerTrace | null = null;

  constructor(
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly endpoints: Endpoints,
    private readonly problems: ProblemFilter,
    private readonly responder: Responder,
    private readonly streamed: StreamedAnswers,
    private readonly coreV1: CoreV1Gate,
    @Inject(SETTINGS) { TRUST_PROXY }: ApiSettings,
  ) {
    this.clientOf = clientOf(TRUST_PROXY);
  }

  /** Records the routes while they are registered. */
  watchRoutes(server: FastifyInstance, trace: ServerTrace | null): void {
    this.trace = trace;
    server.addHook('onRoute', ({ url }) => {
      if (url.endsWith('/*')) this.folders.set(canonicalPath(url.slice(0, -1)) + '/', url);
      else if (url.includes('/:')) this.patterns.set(canonicalPath(url).split('/'), url);
      else this.paths.set(canonicalPath(url), url);
    });
  }

  readonly admit: Step = (request, response, pass) => {
    const exchange = new Exchange(request, response, this.clientOf);
    if (isCoreV1Url(request.url!)) return this.coreV1.admit(exchange, false, this.trace);
    const verdict = this.judge(exchange);
    this.trace?.describe(request, exchange.route, exchange.id);
    if (verdict instanceof AnswerForm) return this.responder.sendAnswer(exchange, verdict);
    if (verdict === PREFLIGHT) return this.responder.sendPreflight(exchange);
    if (verdict) return this.responder.sendProblem(exchange, verdict);
    const endpoint = this.endpoints.find(exchange.route!);
    if (endpoint) return void this.ask(endpoint, exchange);
    keepForFastify(exchange);
    pass(request, response);
  };

  isKnown(path: string): boolean {
    return this.routeOf(path) !== undefined;
  }

  private routeOf(path: string): string | undefined {
    const route = this.paths.get(path);
    if (route !== undefined) return route;
    for (const [segments, pattern] of this.patterns) if (matchesRoute(segments, path)) return pattern;
    for (const [folder, pattern] of this.folders) if (path.startsWith(folder)) return pattern;
    return undefined;
  }

  /** The ready answer, or the reason to refuse; null, with route and target set, if the request may go on. */
  private judge(exchange: Exchange): AnswerForm | Problem | typeof PREFLIGHT | null {
    const { request } = exchange;
    const { method, url = '', headers } = request;
    // Node leaves this check to us, because its own answer has no body.
    if (!hasFitHost(request)) return UNFIT_HOST;
    const isReading = method === 'GET' || method === 'HEAD';
    const version = headers['api-version'];
    const isSupported = version === undefined || version === SUPPORTED_VERSION;
    if (isReading && isSupported) {
      const ready = this.cache.findReady(url, acceptanceOf(headers['accept-encoding']));
      if (ready && this.answers.maySend(ready.view)) {
        exchange.route = ready.route;
        return ready;
      }
    }
    if (url.length > LONGEST_URL) return URI_TOO_LONG;
    const target = parseRequestTarget(url);
    if (!target) return MALFORMED_URL;
    const route = this.routeOf(target.path);
    if (route === undefined) return UNKNOWN_PATH;
    if (method === 'OPTIONS') return PREFLIGHT;
    if (!isReading) return METHOD_NOT_ALLOWED;
    exchange.route = route;
    if (!isSupported) return UNSUPPORTED_VERSION;
    exchange.target = target;
    return null;
  }

  private async ask(endpoint: EndpointRoute, exchange: Exchange): Promise<void> {
    const { request, target } = exchange;
    const { query } = endpoint;
    const get = () => this.endpoints.answer(endpoint, exchange.parameters, request, exchange);
    let answer: AnswerForm | StreamedForm;
    try {
      exchange.parameters =
        query && parseQuery(query, target!.query, pathParameters(endpoint.route, target!));
      answer = await get();
      if (answer instanceof StreamedForm) {
        if (!this.responder.sendHeadersOnly(exchange, answer)) await this.streamed.send(exchange, get);
        return;
      }
    } catch (error) {
      return this.responder.sendProblem(exchange, this.problems.explain(error, exchange));
    }
    this.responder.sendAnswer(exchange, answer);
  }
}
