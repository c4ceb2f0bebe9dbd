import { STATUS_CODES } from 'node:http';
import { Catch } from '@nestjs/common';
import { NodeRefusal, type RefusalBody } from '@roundhouse/dto/core-v1';
import { QueryTooLongError } from '@roundhouse/readers';
import type { FastifyRequest } from 'fastify';
import { Own } from '../answers/foreign-parts.js';
import { JSON_TYPE, type Headers } from '../answers/headers.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { refusalOf, type Problem, type Refusal } from '../http/problem.js';

const NOT_KEPT: Headers = { 'cache-control': 'no-store' };

/** JSON that is sent as it is; nothing if it is empty. */
const json = (status: number, body: string, headers: Headers = {}): Refusal => ({
  status,
  headers: { ...(body === '' ? {} : { 'content-type': JSON_TYPE }), ...NOT_KEPT, ...headers },
  body,
});

/** An error in the shape of a node's HTTP server. */
export const httpError = (status: number, message: string, headers?: Headers): Refusal =>
  json(status, JSON.stringify({ statusCode: status, error: STATUS_CODES[status], message }), headers);

/** What no route sees: a rate limit, an unreadable request. With `success`, which all clients read. */
export const problemInCoreV1 = (problem: Problem): Refusal => {
  const { status: statusCode, error: message } = problem;
  const error = STATUS_CODES[statusCode];
  return refusalOf(problem, JSON.stringify({ statusCode, error, message, success: false }));
};

export const NOT_FOUND = httpError(404, 'Not Found');

export const UNSUPPORTED_VERSION = httpError(400, 'The specified API version is not supported.');

export const UNSUPPORTED_PATH_VERSION = httpError(400, 'Invalid api-version! Valid values: 1,2');

/** A node refuses with status 200, and its clients take any other status for a dead node. */
const refusal = (body: RefusalBody): Refusal => json(200, JSON.stringify(body));

/** What a node answers at `/`. */
export const GREETING = json(200, '{"data":"Hello World!"}');

const NO_POSTS =
  'This server is an index of the chain and takes no transactions. Post the transaction to a node of this network.';

/** Clients show `message` or `error`. */
export const POST_REFUSED = json(200, JSON.stringify({ success: false, message: NO_POSTS, error: NO_POSTS }));

export const redirectTo = (location: string): Refusal => json(301, '', { location });

const METHODS = 'GET, HEAD, POST, OPTIONS';

/** What browsers may send if they do not say what they want to. */
const USUAL_HEADERS = 'API-Version, Accept, Content-Type, If-None-Match, nethash, version, port, os';

const TOKENS = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/;

/** Permits whatever headers a browser asks to send: wallets send `nethash`, `version`, `port` and more. */
export const preflight = (requested: string | undefined): Refusal =>
  json(200, '', {
    allow: METHODS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers':
      requested !== undefined && TOKENS.test(requested) ? requested : USUAL_HEADERS,
    'access-control-max-age': '86400',
  });

const TOO_DEEP = refusal({
  error: 'This list is too long to be read so far: ask for a smaller offset or with other filters.',
  success: false,
});

/** Errors as a node tells them. */
@Catch()
@Own()
export class NodeFilter extends ProblemFilter {
  protected override refusalOf(error: unknown, request: FastifyRequest): Refusal {
    if (error instanceof NodeRefusal) return refusal(error.body);
    if (error instanceof QueryTooLongError) return TOO_DEEP;
    const { status, error: message, headers } = this.explain(error, request);
    return httpError(status, status === 500 ? 'An internal server error occurred' : message, headers);
  }
}
