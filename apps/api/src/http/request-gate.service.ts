import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptanceOf } from '../answers/acceptance.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import type { AnswerForm } from '../answers/answer-form.js';
import { AnswersService } from '../answers/answers.service.js';
import { SUPPORTED_VERSION } from './headers.js';
import {
  MALFORMED_URL,
  METHOD_NOT_ALLOWED,
  problemWithStatus,
  UNKNOWN_PATH,
  URI_TOO_LONG,
} from './problem.js';
import { canonicalPath, parseRequestTarget, type RequestTarget } from './request-target.js';
import { Responder } from './responder.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate for every request that it lets through. */
    target: RequestTarget | null;
    /** The parameters of the endpoint, once they are read. */
    parameters: object | undefined;
  }
}

/** Longer than any URL that the contract has a use for, shorter than the parser's limit for a whole head. */
const LONGEST_URL = 8192;

const isReading = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

const asksForSupportedVersion = (version: string | string[] | undefined): boolean =>
  version === undefined || version === SUPPORTED_VERSION;

/**
 * The first to see a request, before routing's outcome counts: answers what is ready, and decides what the contract
 * says of methods, paths and versions. What it lets through is a well-formed GET or HEAD of a known path.
 */
@Injectable()
export class RequestGate {
  private readonly paths = new Set<string>();
  private readonly folders: string[] = [];

  constructor(
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly responder: Responder,
  ) {}

  /** Learns the routes as they are registered. */
  watchRoutes(server: FastifyInstance): void {
    server.addHook('onRoute', ({ url }) => {
      if (url.endsWith('/*')) this.folders.push(canonicalPath(url.slice(0, -1)) + '/');
      else this.paths.add(canonicalPath(url));
    });
  }

  handle(request: FastifyRequest, reply: FastifyReply, pass: () => void): void {
    const answer = this.findReady(request.raw);
    if (answer) this.responder.sendAnswer(reply, answer);
    else this.check(request, reply, pass);
  }

  /** Answers where the answer is ready; false where that takes more. */
  answerReady(request: IncomingMessage, response: ServerResponse): boolean {
    const startedAt = performance.now();
    const answer = this.findReady(request);
    if (!answer) return false;
    this.responder.sendReady(request, response, answer, startedAt);
    return true;
  }

  isKnown(path: string): boolean {
    return this.paths.has(path) || this.folders.some((folder) => path.startsWith(folder));
  }

  /** Nothing where there is more to be said of the request than that its answer is ready. */
  private findReady({ method, url, headers }: IncomingMessage): AnswerForm | undefined {
    if (!isReading(method) || headers.host === undefined) return undefined;
    if (!asksForSupportedVersion(headers['api-version'])) return undefined;
    const answer = this.cache.findReady(url!, acceptanceOf(headers['accept-encoding']));
    return answer && this.answers.maySend(answer.view) ? answer : undefined;
  }

  private check(request: FastifyRequest, reply: FastifyReply, pass: () => void): void {
    const { method, url = '', headers, httpVersion } = request.raw;
    const { responder } = this;
    // Node leaves this check to us, because its own answer has no body.
    if (httpVersion === '1.1' && headers.host === undefined) {
      return responder.sendProblem(reply, problemWithStatus(400));
    }
    if (url.length > LONGEST_URL) return responder.sendProblem(reply, URI_TOO_LONG);
    const target = parseRequestTarget(url);
    if (!target) return responder.sendProblem(reply, MALFORMED_URL);
    if (!this.isKnown(target.path)) return responder.sendProblem(reply, UNKNOWN_PATH);
    if (method === 'OPTIONS') return responder.sendPreflight(reply);
    if (!isReading(method)) return responder.sendProblem(reply, METHOD_NOT_ALLOWED);
    if (!asksForSupportedVersion(headers['api-version'])) {
      return responder.sendProblem(reply, {
        status: 400,
        error: `The header API-Version must be ${SUPPORTED_VERSION}, the supported version, or absent.`,
      });
    }
    request.target = target;
    pass();
  }
}
