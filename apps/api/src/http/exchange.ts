import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientOf } from '../clients/client-address.js';
import type { RequestTarget } from './request-target.js';

/** Safe in a log line and in a header. */
const FIT = /^[\w.-]{1,128}$/;

/** Ids of different processes differ. */
const PREFIX = randomBytes(6).toString('hex');

let count = 0;

export const makeRequestId = (): string => `${PREFIX}-${(count += 1).toString(36)}`;

/** The id that a client or a proxy sent; a new one if it sent none or an unsuitable one. */
export const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && FIT.test(given) ? given : makeRequestId();

/** A request and its response. The gate makes it and fills in what it learns. */
export class Exchange {
  readonly id: string;
  /** By `performance.now()`. */
  readonly startedAt = performance.now();
  /** The path's pattern, for metrics and traces; undefined if there is nothing at the path. */
  route: string | undefined = undefined;
  target: RequestTarget | null = null;
  /** The parameters as the endpoint parsed them. */
  parameters: object | undefined = undefined;
  private address: string | undefined = undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly clientOf: ClientOf,
  ) {
    this.id = requestIdOf(request.headers['x-request-id']);
  }

  /** The client's address. */
  get client(): string {
    return (this.address ??= this.clientOf(this.request));
  }
}

const passed = new WeakMap<IncomingMessage, Exchange>();

/** Keeps the exchange for the handler that Fastify calls. */
export const keepForFastify = (exchange: Exchange): void => {
  passed.set(exchange.request, exchange);
};

/** The exchange of a request that Fastify handles. */
export const exchangeOf = ({ raw }: FastifyRequest): Exchange => passed.get(raw)!;

/** Takes the response over from Fastify, which writes nothing to it from then on. */
export const takeOver = (reply: FastifyReply): Exchange => {
  reply.hijack();
  return exchangeOf(reply.request);
};
