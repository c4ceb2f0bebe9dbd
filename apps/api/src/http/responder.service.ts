import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { SlowLog } from '../operations/slow-log.service.js';
import { chainHeaders } from './chain-headers.js';
import type { Exchange } from './exchange.js';
import { CLOSE, COMMON_HEADERS, HTML_TYPE, PREFLIGHT_HEADERS, STREAM_HEADERS } from './headers.js';
import { problemBody, problemHeaders, type Problem } from './problem.js';
import type { ReadyBytes } from './ready-bytes.js';
import { REQUEST_ID, requestIdOf } from './request-id.js';

/** What came of asking an endpoint: an answer, or what stands in its place. */
export type Outcome = {
  readonly route: string;
  /** As the endpoint read them; absent where it could not. */
  readonly parameters: object | undefined;
} & (
  | { readonly answer: ReadyBytes; readonly problem?: undefined }
  | { readonly answer?: undefined; readonly problem: Problem }
);

/** Writes every answer of the api straight to the socket, with one array of headers. */
@Injectable()
export class Responder {
  constructor(
    private readonly tracker: ChainTracker,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly slowLog: SlowLog,
  ) {}

  sendAnswer(reply: FastifyReply, answer: ReadyBytes): void {
    const { raw, id } = reply.request;
    reply.hijack();
    this.observe(reply, this.writeAnswer(raw, reply.raw, id, answer));
  }

  /** The same for what was ready, and need not be looked at for being slow. */
  sendReady({ request, response, id, startedAt }: Exchange, answer: ReadyBytes): void {
    const status = this.writeAnswer(request, response, id, answer);
    this.metrics.observeRequest(answer.route, status, performance.now() - startedAt);
  }

  /** Sends what came of asking an endpoint. */
  sendOutcome(
    { request, response, id, startedAt }: Exchange,
    { route, parameters, answer, problem }: Outcome,
  ): void {
    const status = answer
      ? this.writeAnswer(request, response, id, answer)
      : this.writeProblem(request, response, id, problem);
    const durationMs = performance.now() - startedAt;
    this.metrics.observeRequest(route, status, durationMs);
    this.slowLog.observeRequest({ route, parameters, status, durationMs, requestId: id });
  }

  sendProblem(reply: FastifyReply, problem: Problem): void {
    const body = problemBody(problem);
    this.send(reply, problem.status, [...problemHeaders(problem, body), ...this.chainHeadersNow()], body);
  }

  /** As `sendProblem`, where Fastify knows nothing of the request. */
  sendProblemRaw(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
    this.writeProblem(request, response, requestIdOf(request.headers['x-request-id']), problem);
    this.metrics.observeRequest('none', problem.status, 0);
  }

  /** A page that says what `sendProblem` says in JSON. */
  sendProblemPage(reply: FastifyReply, problem: Problem, body: Buffer, headers: readonly string[]): void {
    const all = [...problemHeaders(problem, body, HTML_TYPE), ...headers, ...this.chainHeadersNow()];
    this.send(reply, problem.status, all, body);
  }

  /** Writes the head of a response whose body comes bit by bit, and whose connection ends with it. */
  beginStream(reply: FastifyReply, contentType: string): void {
    const { id } = reply.request;
    reply.hijack();
    const headers = ['Content-Type', contentType, ...STREAM_HEADERS, ...COMMON_HEADERS];
    reply.raw.writeHead(200, [...headers, ...this.headersNow(id), ...CLOSE]);
    this.observe(reply, 200);
  }

  sendPreflight(reply: FastifyReply): void {
    this.send(reply, 204, [...PREFLIGHT_HEADERS, ...this.chainHeadersNow()]);
  }

  /** For responses that Fastify writes itself, as the pages of the documentation are. */
  addHeaders(reply: FastifyReply): void {
    const fields = [...COMMON_HEADERS, ...this.headersNow(reply.request.id), ...this.closeHeaders];
    for (let at = 0; at < fields.length; at += 2) void reply.header(fields[at]!, fields[at + 1]);
  }

  /** For responses without a request: what is on each one beside `COMMON_HEADERS`. */
  headersNow(requestId: string): readonly string[] {
    return [...this.chainHeadersNow(), REQUEST_ID, requestId];
  }

  /** Tells the client that its connection closes, where this server is on its way out. */
  private get closeHeaders(): readonly string[] {
    return this.shutdown.isDraining ? CLOSE : [];
  }

  private chainHeadersNow(): readonly string[] {
    return chainHeaders(this.tracker.latest?.headOrNull);
  }

  private writeAnswer(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    answer: ReadyBytes,
  ): number {
    const isKnown = answer.isKnownTo(request.headers['if-none-match']);
    const status = isKnown ? 304 : 200;
    this.writeHead(response, status, isKnown ? answer.notModifiedHeaders : answer.headers, requestId);
    response.end(isKnown || request.method === 'HEAD' ? undefined : answer.body);
    return status;
  }

  private writeProblem(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    problem: Problem,
  ): number {
    const body = problemBody(problem);
    const headers = [...problemHeaders(problem, body), ...this.chainHeadersNow()];
    this.writeHead(response, problem.status, headers, requestId);
    response.end(request.method === 'HEAD' ? undefined : body);
    return problem.status;
  }

  private send(reply: FastifyReply, status: number, headers: readonly string[], body?: Buffer): void {
    const { raw, id } = reply.request;
    reply.hijack();
    this.writeHead(reply.raw, status, headers, id);
    reply.raw.end(raw.method === 'HEAD' ? undefined : body);
    this.observe(reply, status);
  }

  /** A flat array is what Node writes as it is. */
  private writeHead(
    response: ServerResponse,
    status: number,
    headers: readonly string[],
    requestId: string,
  ): void {
    response.writeHead(status, [...headers, REQUEST_ID, requestId, ...this.closeHeaders]);
  }

  private observe(reply: FastifyReply, status: number): void {
    const { url = 'none' } = reply.request.routeOptions;
    const { elapsedTime } = reply;
    this.metrics.observeRequest(url, status, elapsedTime);
    this.slowLog.observeRequest({
      route: url,
      status,
      durationMs: elapsedTime,
      requestId: reply.request.id,
    });
  }
}
