import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { COMMON_HEADERS } from '../answers/headers.js';
import { httpError, NO_POSTS } from '../core-v1/refusals.js';
import type { Problem, Refusal } from '../http/problem.js';
import {
  hasFitHost,
  isReading,
  LONGEST_URL,
  NOWHERE,
  originForm,
  restoreParameters,
  type Way,
} from '../http/way.js';
import { BODY_LIMIT, keepBodyRaw } from './payload.js';
import { inRange } from './ranges.js';
import { TOO_MANY } from './refusals.js';

/** Where the controllers are. */
export const CORE_V2_PATH = '/api/v2';

/** Characters that a node shows as themselves in a path, whether or not a client encodes them. */
const PLAIN = /^[\w!$&'()*+,;=:@\-.~]$/;

const canonical = (path: string): string =>
  path.replace(/%[\da-f]{2}/gi, (encoded) => {
    const letter = String.fromCharCode(parseInt(encoded.slice(1), 16));
    return PLAIN.test(letter) ? letter : encoded.toUpperCase();
  });

const PREFIXED = /^\/api\/v2(?=\/|$)/;

/**
 * A path for the router, which is blind to case and miscounts letters whose lower case is longer: what no name of a route
 * can be becomes a parameter.
 */
const forRouter = (path: string): string =>
  path
    .split('/')
    .map((segment) => (/[A-Z%]/.test(segment) ? '~' : segment))
    .join('/');

/**
 * The path as URLs resolve it, without a slash at its end, what of it is below `/api`, without the version, and the path and
 * query for the router; null if it names a host or has broken encodings.
 */
const resolve = (url: string) => {
  const target = originForm(url);
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  try {
    const { pathname: sent, search } = new URL(target, 'http://node');
    decodeURIComponent(sent);
    const pathname = canonical(sent).replace(/(?<=.)\/$/, '');
    const isBelow = /^\/api(?=\/|$)/.test(pathname);
    const path = isBelow ? pathname.replace(PREFIXED, '/api').slice('/api'.length) : null;
    // The router would ignore a second slash at the end.
    const isNowhere = path === null || path.endsWith('/');
    return { pathname, path, routed: isNowhere ? NOWHERE : `${CORE_V2_PATH}${forRouter(path)}${search}` };
  } catch {
    return null;
  }
};

/** Ready bytes cost little more than to resolve their URL. Long ones are not kept. */
const known = new LRUCache<string, { readonly target: ReturnType<typeof resolve> }>({
  ...{ max: 1_000, maxEntrySize: 500, sizeCalculation: (_, { length }) => length + 1 },
  memoMethod: (url) => ({ target: resolve(url) }),
});

const resolved = (url: string) => (known.get(url) ?? known.memo(url)).target;

/** The path below `/api`, without the version; null for other paths. */
export const pathBelowApi = (url: string): string | null => resolved(url)?.path ?? null;

const NOT_FOUND = httpError({ status: 404, error: 'Not Found' });
const BAD_REQUEST = httpError({ status: 400, error: 'Bad Request' });
const NO_METHOD = httpError({
  status: 404,
  error: 'CORS error: Missing Access-Control-Request-Method header',
});

const GROUPS =
  /^\/(blockchain|blocks|delegates|entities|locks|node|peers|rounds|transactions|votes|wallets)(\/|$)/;

/** A node answers only those who name a method. It permits what it knows, and here also what programs send to nodes. */
const preflight = (headers: IncomingHttpHeaders, isKnown: boolean): Refusal => {
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined)
    return NO_METHOD;
  if (!isKnown) return NOT_FOUND;
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, If-None-Match, API-Version, nethash, version, port, os',
      'access-control-max-age': '86400',
    },
    body: '',
  };
};

const COOKIE = /^[^\s=;"]+\s*=\s*("[^"]*"|[^\s";,\\]*)$/;

const hasFitCookies = ({ cookie = '' }: IncomingHttpHeaders): boolean =>
  cookie === '' ||
  cookie
    .replace(/;$/, '')
    .split(';')
    .every((one) => COOKIE.test(one.trim()));

const refuse = (request: FastifyRequest, mayBePrefixed: boolean): Refusal | null => {
  const { method, headers, originalUrl: url, raw } = request;
  if (!hasFitHost(raw)) return BAD_REQUEST;
  if (url.length > LONGEST_URL) return httpError({ status: 414, error: 'The URL is too long.' });
  const target = resolved(url);
  if (!target) return originForm(url).startsWith('//') ? NOT_FOUND : BAD_REQUEST;
  const { pathname, path } = target;
  if (method === 'OPTIONS') return preflight(headers, pathname === '/' || GROUPS.test(path ?? ''));
  if (!hasFitCookies(headers)) return httpError({ status: 400, error: 'Invalid cookie header' });
  if (pathname === '/' && isReading(method))
    return { ...NOT_FOUND, status: 200, body: '{"data":"Hello World!"}' };
  if (path === null || (!mayBePrefixed && PREFIXED.test(pathname))) return NOT_FOUND;
  // The others are refused with the ids that their bodies have.
  if (method === 'POST' && path === '/transactions' && !(Number(headers['content-length']) <= BODY_LIMIT))
    return httpError({ status: 422, error: NO_POSTS });
  if (request.is404 || Object.values(request.params as object).includes('')) return NOT_FOUND;
  restoreParameters(path, request.route.url!.slice(CORE_V2_PATH.length), request.params as object);
  if (method === 'POST') keepBodyRaw(request);
  // A node knows no tags of content.
  if (headers['if-none-match'] === '*') delete headers['if-none-match'];
  return null;
};

const refusalOf = (problem: Problem): Refusal =>
  httpError(problem.status === 429 ? { ...problem, ...TOO_MANY } : problem);

/** What a Core 3.9.1 node answers, below `/api/v2`, and below `/api` if the headers ask for version 2. */
export const CORE_V2: Way = {
  key: 'v2 ',
  pathOf: (url) => resolved(url)?.routed ?? NOWHERE,
  mayBeReady: ({ method, headers, raw }) =>
    isReading(method) && hasFitHost(raw) && headers['if-none-match'] !== '*' && headers.cookie === undefined,
  refuse: (request) => refuse(request, true),
  allowanceHeaders: ({ limit, remaining, renewedAt }) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': new Date(renewedAt).toUTCString(),
  }),
  tellsMethods: false,
  headers: { ...COMMON_HEADERS, 'api-version': '2' },
  finish: (request, reply, payload) => {
    reply.header('x-block-height', String(reply.getHeader('x-chain-height') ?? 0));
    return inRange(request, reply, payload);
  },
  refusalOf,
};

/** On a port of its own, where `/api/…` is version 2 whatever the headers say. */
export const CORE_V2_ALONE: Way = {
  ...CORE_V2,
  key: 'v2 alone ',
  // A node counts what it routes, and its first page.
  isCounted: ({ method, is404, originalUrl }) =>
    method !== 'OPTIONS' && (!is404 || resolved(originalUrl)?.pathname === '/'),
  refuse: (request) => refuse(request, false),
  // A node's HTTP parser answers with nothing.
  refusalOf: (problem) =>
    [400, 404].includes(problem.status)
      ? { ...httpError({ status: 400, error: '' }), headers: {}, body: '' }
      : refusalOf(problem),
};

/** The same with the prefix of version 2, for programs that spoke to Core 2. */
export const CORE_V2_ALONE_OR_PREFIXED: Way = {
  ...CORE_V2_ALONE,
  key: CORE_V2.key,
  refuse: (request) => refuse(request, true),
};
