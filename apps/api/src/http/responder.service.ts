import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AnswerForm } from '../answers/answer-form.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { SlowLog } from '../operations/slow-log.service.js';
import { chainHeaders } from './chain-headers.js';
import { CLOSE, PREFLIGHT_HEADERS } from './headers.js';
import { problemBody, problemHeaders, type Problem } from './problem.js';
import { REQUEST_ID } from './request-id.js';

/** Writes every answer of the api straight to the socket, with one array of headers. */
@Injectable()
export class Responder {
  constructor(
    private readonly tracker: ChainTracker,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly slowLog: SlowLog,
  ) {}

  sendAnswer(reply: FastifyReply, answer: AnswerForm): void {
    const { raw } = reply.request;
    if (answer.isKnownTo(raw.headers['if-none-match'])) {
      this.write(reply, 304, answer.notModifiedHeaders);
    } else {
      this.write(reply, 200, answer.headers, answer.body);
    }
  }

  sendProblem(reply: FastifyReply, problem: Problem): void {
    const body = problemBody(problem);
    this.write(reply, problem.status, [...problemHeaders(problem, body), ...this.chainHeadersNow()], body);
  }

  sendPreflight(reply: FastifyReply): void {
    this.write(reply, 204, [...PREFLIGHT_HEADERS, ...this.chainHeadersNow()]);
  }

  /** For responses that others write: what is on each one beside `COMMON_HEADERS`. */
  headersNow(requestId: string): readonly string[] {
    return [...this.chainHeadersNow(), REQUEST_ID, requestId];
  }

  /** Tells the client that its connection closes, where this server is on its way out. */
  get closeHeaders(): readonly string[] {
    return this.shutdown.isDraining ? CLOSE : [];
  }

  private chainHeadersNow(): readonly string[] {
    return chainHeaders(this.tracker.latest?.headOrNull);
  }

  private write(reply: FastifyReply, status: number, headers: readonly string[], body?: Buffer): void {
    reply.hijack();
    const fields = headers.concat(REQUEST_ID, reply.request.id, this.closeHeaders);
    // A flat array is what Node writes as it is.
    reply.raw.writeHead(status, fields);
    reply.raw.end(reply.request.raw.method === 'HEAD' ? undefined : body);
    const { url = 'none' } = reply.request.routeOptions;
    const { elapsedTime } = reply;
    this.metrics.observeRequest(url, status, elapsedTime);
    this.slowLog.observeRequest(reply.request, url, status, elapsedTime);
  }
}
