import { STATUS_CODES } from 'node:http';
import type { RefusalBody } from '@roundhouse/dto/core-v1';
import type { WriteProblem } from '../http/problem.js';

/** A response that is not an answer of a route. */
export interface CoreV1Reply {
  readonly status: number;
  /** JSON text, or empty. */
  readonly body: string;
  /** Each name is followed by its value. */
  readonly headers?: readonly string[];
}

/** An error in the shape of a node's HTTP server. */
export const httpError = (status: number, message: string, headers?: readonly string[]): CoreV1Reply => ({
  status,
  body: JSON.stringify({ statusCode: status, error: STATUS_CODES[status], message }),
  ...(headers && { headers }),
});

/** What no route sees: a rate limit, an unreadable request. With `success`, which all clients read. */
export const problemInCoreV1: WriteProblem = ({ status, error }) =>
  Buffer.from(
    JSON.stringify({ statusCode: status, error: STATUS_CODES[status], message: error, success: false }),
  );

export const NOT_FOUND = httpError(404, 'Not Found');

export const UNSUPPORTED_VERSION = httpError(400, 'The specified API version is not supported.');

export const UNSUPPORTED_PATH_VERSION = httpError(400, 'Invalid api-version! Valid values: 1,2');

/** A node refuses with status 200, and its clients take any other status for a dead node. */
export const refusal = (body: RefusalBody): CoreV1Reply => ({ status: 200, body: JSON.stringify(body) });

/** What a node answers at `/`. */
export const GREETING: CoreV1Reply = { status: 200, body: '{"data":"Hello World!"}' };

const NO_POSTS =
  'This server is an index of the chain and takes no transactions. Post the transaction to a node of this network.';

/** Clients show `message` or `error`. */
export const POST_REFUSED: CoreV1Reply = {
  status: 200,
  body: JSON.stringify({ success: false, message: NO_POSTS, error: NO_POSTS }),
};

export const redirectTo = (location: string): CoreV1Reply => ({
  status: 301,
  body: '',
  headers: ['Location', location],
});

const METHODS = 'GET, HEAD, POST, OPTIONS';

/** What browsers may send if they do not say what they want to. */
const USUAL_HEADERS = 'API-Version, Accept, Content-Type, If-None-Match, nethash, version, port, os';

const TOKENS = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/;

/** Permits whatever headers a browser asks to send: wallets send `nethash`, `version`, `port` and more. */
export const preflight = (requested: string | undefined): CoreV1Reply => ({
  status: 200,
  body: '',
  headers: [
    'Allow',
    METHODS,
    'Access-Control-Allow-Methods',
    METHODS,
    'Access-Control-Allow-Headers',
    requested !== undefined && TOKENS.test(requested) ? requested : USUAL_HEADERS,
    'Access-Control-Max-Age',
    '86400',
  ],
});
