import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { RawQuery } from '@roundhouse/dto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptanceOf } from '../answers/acceptance.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import type { AnswerForm } from '../answers/answer-form.js';
import { AnswersService } from '../answers/answers.service.js';
import { Endpoints, type EndpointRoute } from '../answers/endpoints.service.js';
import { exchangeOf, type Exchange } from './exchange.js';
import { SUPPORTED_VERSION } from './headers.js';
import { hasFitHost } from './host.js';
import { MALFORMED_URL, METHOD_NOT_ALLOWED, UNKNOWN_PATH, URI_TOO_LONG, type Problem } from './problem.js';
import { ProblemFilter } from './problem.filter.js';
import { canonicalPath, parseRequestTarget, type RequestTarget } from './request-target.js';
import { Responder, type Outcome } from './responder.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate for every request that it lets through. */
    target: RequestTarget | null;
  }
}

/** Longer than any URL that the contract has a use for, shorter than the parser's limit for a whole head. */
const LONGEST_URL = 8192;

const UNSUPPORTED_VERSION: Problem = {
  status: 400,
  error: `The header API-Version must be ${SUPPORTED_VERSION}, the supported version, or absent.`,
};

const UNFIT_HOST: Problem = {
  status: 400,
  error: 'The request must have one Host header, with a host and at most a port.',
};

const PREFLIGHT = Symbol('preflight');

const isReading = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

const asksForSupportedVersion = (version: string | string[] | undefined): boolean =>
  version === undefined || version === SUPPORTED_VERSION;

/**
 * The first to see a request: answers what is ready, has the endpoints asked, and decides what the contract says of
 * methods, paths and versions. What it lets through is a well-formed GET or HEAD of a known path that is no endpoint.
 */
@Injectable()
export class RequestGate {
  private readonly paths = new Set<string>();
  private readonly folders: string[] = [];

  constructor(
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly endpoints: Endpoints,
    private readonly problems: ProblemFilter,
    private readonly responder: Responder,
  ) {}

  /** Learns the routes as they are registered. */
  watchRoutes(server: FastifyInstance): void {
    server.addHook('onRoute', ({ url }) => {
      if (url.endsWith('/*')) this.folders.push(canonicalPath(url.slice(0, -1)) + '/');
      else this.paths.add(canonicalPath(url));
    });
  }

  /** All requests that Fastify sees. */
  handle(request: FastifyRequest, reply: FastifyReply, pass: () => void): void {
    const answer = this.findReady(request.raw);
    if (answer) return this.responder.sendAnswer(reply, answer);
    const problem = this.findProblem(request);
    if (problem === PREFLIGHT) return this.responder.sendPreflight(reply);
    if (problem) return this.responder.sendProblem(reply, problem);
    const endpoint = this.endpoints.find(request.target!.path);
    if (!endpoint) return pass();
    reply.hijack();
    const startedAt = performance.now() - reply.elapsedTime;
    const exchange = { request: request.raw, response: reply.raw, id: request.id, startedAt };
    void this.ask(endpoint, request.target!.query, exchange);
  }

  /** Answers an endpoint before Fastify sees the request; false where there is something else to be said or done. */
  answerEndpoint(request: IncomingMessage, response: ServerResponse): boolean {
    const exchange = exchangeOf(request, response);
    const answer = this.findReady(request);
    if (answer) {
      this.responder.sendReady(exchange, answer);
      return true;
    }
    const { method, url = '', headers } = request;
    if (!isReading(method) || url.length > LONGEST_URL || !hasFitHost(request)) return false;
    if (!asksForSupportedVersion(headers['api-version'])) return false;
    const target = parseRequestTarget(url);
    const endpoint = target && this.endpoints.find(target.path);
    if (!endpoint) return false;
    void this.ask(endpoint, target.query, exchange);
    return true;
  }

  isKnown(path: string): boolean {
    return this.paths.has(path) || this.folders.some((folder) => path.startsWith(folder));
  }

  /** Nothing where there is more to be said of the request than that its answer is ready. */
  private findReady(request: IncomingMessage): AnswerForm | undefined {
    const { method, url, headers } = request;
    if (!isReading(method) || !hasFitHost(request)) return undefined;
    if (!asksForSupportedVersion(headers['api-version'])) return undefined;
    const answer = this.cache.findReady(url!, acceptanceOf(headers['accept-encoding']));
    return answer && this.answers.maySend(answer.view) ? answer : undefined;
  }

  /** Says what stands against answering; null, and `target` is set, where nothing does. */
  private findProblem(request: FastifyRequest): Problem | typeof PREFLIGHT | null {
    const { method, url = '', headers } = request.raw;
    // Node leaves this check to us, because its own answer has no body.
    if (!hasFitHost(request.raw)) return UNFIT_HOST;
    if (url.length > LONGEST_URL) return URI_TOO_LONG;
    const target = parseRequestTarget(url);
    if (!target) return MALFORMED_URL;
    if (!this.isKnown(target.path)) return UNKNOWN_PATH;
    if (method === 'OPTIONS') return PREFLIGHT;
    if (!isReading(method)) return METHOD_NOT_ALLOWED;
    if (!asksForSupportedVersion(headers['api-version'])) return UNSUPPORTED_VERSION;
    request.target = target;
    return null;
  }

  private async ask(endpoint: EndpointRoute, query: RawQuery, exchange: Exchange): Promise<void> {
    const { request, id } = exchange;
    const { route } = endpoint;
    let parameters: object | undefined;
    let outcome: Outcome;
    try {
      parameters = endpoint.read(query);
      const answer = await this.endpoints.answer(endpoint, parameters, request);
      outcome = { route, parameters, answer };
    } catch (error) {
      outcome = { route, parameters, problem: this.problems.explain(error, request.url!, id) };
    }
    this.responder.sendOutcome(exchange, outcome);
  }
}
