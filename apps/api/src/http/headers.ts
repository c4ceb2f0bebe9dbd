import { COMMON_HEADERS } from '../answers/answer-headers.js';

// Headers that only the HTTP layer adds; the headers of every response are in `answers/answer-headers.ts`.

export const REQUEST_ID = 'X-Request-Id';

export const CLOSE: readonly string[] = ['Connection', 'close'];

/** For proxies: without it, nginx holds a stream back until its buffer is full. */
export const STREAM_HEADERS: readonly string[] = ['Cache-Control', 'no-store', 'X-Accel-Buffering', 'no'];

const METHODS = 'GET, HEAD, OPTIONS';

export const ALLOW: readonly string[] = ['Allow', METHODS];

export const PREFLIGHT_HEADERS: readonly string[] = [
  ...COMMON_HEADERS,
  ...ALLOW,
  'Access-Control-Allow-Methods',
  METHODS,
  'Access-Control-Allow-Headers',
  'API-Version, Accept, Cache-Control, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id, X-Requested-With',
  'Access-Control-Max-Age',
  '86400',
];
