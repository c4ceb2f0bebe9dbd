import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Answer } from '../answers/answer.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { CLOSE, PREFLIGHT_HEADERS } from './headers.js';
import { problemBody, problemHeaders, type Problem } from './problem.js';

/** Writes every response of the api straight to the socket, with one array of headers. */
@Injectable()
export class Responder {
  constructor(
    private readonly tracker: ChainTracker,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
  ) {}

  sendAnswer(reply: FastifyReply, answer: Answer): void {
    const { raw } = reply.request;
    if (answer.isKnownTo(raw.headers['if-none-match'])) {
      this.write(reply, 304, answer.notModifiedHeaders);
    } else {
      this.write(reply, 200, answer.headers, answer.body);
    }
  }

  sendProblem(reply: FastifyReply, problem: Problem): void {
    const body = problemBody(problem);
    const height = this.tracker.latest?.headOrNull?.height;
    this.write(reply, problem.status, problemHeaders(problem, body, height), body);
  }

  sendPreflight(reply: FastifyReply): void {
    this.write(reply, 204, PREFLIGHT_HEADERS);
  }

  private write(reply: FastifyReply, status: number, headers: readonly string[], body?: Buffer): void {
    reply.hijack();
    const fields = this.shutdown.isDraining ? [...headers, ...CLOSE] : headers;
    // A flat array is what Node writes as it is; its types only know the mutable kind.
    reply.raw.writeHead(status, fields as string[]);
    reply.raw.end(reply.request.raw.method === 'HEAD' ? undefined : body);
    const { url = 'none' } = reply.request.routeOptions;
    this.metrics.observeRequest(url, status, reply.elapsedTime);
  }
}
