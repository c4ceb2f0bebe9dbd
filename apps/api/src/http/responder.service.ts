import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { chainHeaders, COMMON_HEADERS, HTML_TYPE, JSON_TYPE } from '../answers/answer-headers.js';
import type { ReadyBytes, StreamedForm } from '../answers/answer.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { Metrics } from '../operations/metrics.service.js';
import { Shutdown } from '../operations/shutdown.service.js';
import { SlowLog } from '../operations/slow-log.service.js';
import { exchangeOf, type Exchange } from './exchange.js';
import { CLOSE, PREFLIGHT_HEADERS, REQUEST_ID, STREAM_HEADERS } from './headers.js';
import { problemBody, problemHeaders, type Problem, type WriteProblem } from './problem.js';

/** Writes responses straight to the socket, each with one flat array of headers, and measures them. */
@Injectable()
export class Responder {
  constructor(
    private readonly tracker: ChainTracker,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly slowLog: SlowLog,
  ) {}

  sendAnswer(exchange: Exchange, answer: ReadyBytes): void {
    if (answer.isKnownTo(exchange.request.headers['if-none-match']))
      this.send(exchange, 304, answer.notModifiedHeaders);
    else this.send(exchange, 200, answer.headers, answer.body);
  }

  /** Sends only the headers, if the request needs no more; returns whether it did. */
  sendHeadersOnly(exchange: Exchange, answer: StreamedForm): boolean {
    const { method, headers } = exchange.request;
    if (answer.isKnownTo(headers['if-none-match'])) this.send(exchange, 304, answer.notModifiedHeaders);
    else if (method === 'HEAD') this.send(exchange, 200, answer.headers);
    else return false;
    return true;
  }

  /** Writes the head of an answer whose body is streamed. Call `observe` when it has ended. */
  beginAnswer({ response, id }: Exchange, answer: StreamedForm): void {
    response.writeHead(200, [...answer.headers, REQUEST_ID, id, ...this.closeHeaders]);
  }

  sendProblem(exchange: Exchange, problem: Problem, write: WriteProblem = problemBody): void {
    const body = write(problem);
    this.send(exchange, problem.status, [...problemHeaders(problem, body), ...this.chainHeadersNow()], body);
  }

  /** A problem as a page. */
  sendProblemPage(exchange: Exchange, problem: Problem, body: Buffer, headers: readonly string[]): void {
    const all = [...problemHeaders(problem, body, HTML_TYPE), ...headers, ...this.chainHeadersNow()];
    this.send(exchange, problem.status, all, body);
  }

  /** JSON, or nothing if `body` is empty, that is made for this request alone. */
  sendJson(exchange: Exchange, status: number, body: Buffer, headers: readonly string[]): void {
    const length = ['Content-Length', String(body.length)];
    const content = body.length > 0 ? ['Content-Type', JSON_TYPE, ...length] : length;
    const common = [...COMMON_HEADERS, 'Cache-Control', 'no-store', ...headers, ...this.chainHeadersNow()];
    this.send(exchange, status, [...content, ...common], body);
  }

  sendPreflight(exchange: Exchange): void {
    this.send(exchange, 204, [...PREFLIGHT_HEADERS, ...this.chainHeadersNow()]);
  }

  /** Writes the head of a response whose body is streamed; its connection ends with it. */
  beginStream(exchange: Exchange, contentType: string): void {
    const headers = ['Content-Type', contentType, ...STREAM_HEADERS, ...COMMON_HEADERS];
    exchange.response.writeHead(200, [...headers, ...this.headersNow(exchange.id), ...CLOSE]);
    this.observe(exchange, 200);
  }

  observe({ route = 'none', parameters, id, startedAt }: Exchange, status: number): void {
    const durationMs = performance.now() - startedAt;
    this.metrics.observeRequest(route, status, durationMs);
    this.slowLog.observeRequest({ route, parameters, status, durationMs, requestId: id });
  }

  /** For responses that Fastify writes itself: the pages of the documentation. */
  addHeaders(reply: FastifyReply): void {
    const { id } = exchangeOf(reply.request);
    const fields = [...COMMON_HEADERS, ...this.headersNow(id), ...this.closeHeaders];
    for (let at = 0; at < fields.length; at += 2) void reply.header(fields[at]!, fields[at + 1]);
  }

  /** The headers that every response has in addition to `COMMON_HEADERS`. */
  headersNow(requestId: string): readonly string[] {
    return [...this.chainHeadersNow(), REQUEST_ID, requestId];
  }

  /** While the server stops, each response closes its connection. */
  private get closeHeaders(): readonly string[] {
    return this.shutdown.isDraining ? CLOSE : [];
  }

  private chainHeadersNow(): readonly string[] {
    return chainHeaders(this.tracker.latest?.headOrNull);
  }

  private send(exchange: Exchange, status: number, headers: readonly string[], body?: Buffer): void {
    const { request, response, id } = exchange;
    // The client has left. It gets nothing, so nothing is counted.
    if (response.destroyed) return;
    response.writeHead(status, [...headers, REQUEST_ID, id, ...this.closeHeaders]);
    response.end(request.method === 'HEAD' ? undefined : body);
    this.observe(exchange, status);
  }
}
