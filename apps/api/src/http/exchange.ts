import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './request-id.js';

/** A request with its response, whether or not Fastify knows of it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

export const exchangeOf = (request: IncomingMessage, response: ServerResponse): Exchange => ({
  request,
  response,
  id: requestIdOf(request.headers['x-request-id']),
  startedAt: performance.now(),
});
