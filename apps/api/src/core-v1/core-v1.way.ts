import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Headers } from '../answers/headers.js';
import { refusalOf, type Refusal } from '../http/problem.js';
import { CONTRACT, hasFitHost, isReading, LONGEST_URL, NOWHERE, originForm, type Way } from '../http/way.js';
import { httpError, NO_POSTS, reply } from './refusals.js';

/** The version that is answered here. A node also has version 2, with other paths. */
const ANSWERED_VERSION = 1;

const NODE_VERSIONS = [1, 2];

/** Where the controllers are. */
export const CORE_V1_PATH = '/api/v1';

/** `/api` in any case, then perhaps a version in lower case, then the route. */
const API_PATH = /^\/[Aa][Pp][Ii](?:\/v(\d+))?(?:\/(.*))?$/s;

/** Paths, beside `/api/transactions`, to which clients post. */
const POST_PATH = '/peer/transactions';

/** A node has these routes in two spellings. */
const IN_LOWER_CASE: readonly string[] = ['blocks/getheight', 'blocks/getfees'];

const ACCEPTED = /^application\/vnd\.core-api\.v(\d+)\+json$/;

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : null;

/**
 * The part of a URL that a node looks at: the path, decoded with its case and slashes, and as it was sent; the query with
 * its question mark; and the place below `/api`, with the version that the path names, or null for all other paths. Null
 * if the path has a broken percent-encoding.
 */
const targetOf = (url: string) => {
  const [whole = ''] = originForm(url).split('#', 1);
  const mark = whole.indexOf('?');
  const [sentPath, search] = mark < 0 ? [whole, ''] : [whole.slice(0, mark), whole.slice(mark)];
  try {
    const path = decodeURI(sentPath);
    const [match, version, route = ''] = API_PATH.exec(path) ?? [];
    const place = match === undefined ? null : { version: wholeNumber(version), route };
    return { path, sentPath, search, place };
  } catch {
    return null;
  }
};

/** The version that the headers ask for, 0 included; null if they ask for none, or for none that is a number. */
const versionInHeaders = ({ 'api-version': version, accept }: IncomingHttpHeaders): number | null => {
  const asked = wholeNumber(typeof version === 'string' ? version.trim() : undefined);
  return asked ?? wholeNumber(accept === undefined ? undefined : ACCEPTED.exec(accept)?.[1]);
};

const NOT_FOUND = httpError({ status: 404, error: 'Not Found' });

const badRequest = (error: string): Refusal => httpError({ status: 400, error });

const UNSUPPORTED_VERSION = badRequest('The specified API version is not supported.');

/** The reply to a version that is not answered; null for version 1. A version in the path beats the headers. */
const refusedVersion = (inPath: number | null, { headers, query }: FastifyRequest): Refusal | null => {
  const inHeaders = versionInHeaders(headers);
  if (inHeaders !== null && !NODE_VERSIONS.includes(inHeaders)) return UNSUPPORTED_VERSION;
  if (inPath !== null && !NODE_VERSIONS.includes(inPath))
    return badRequest('Invalid api-version! Valid values: 1,2');
  const [inQuery] = [(query as { version?: string | string[] }).version].flat();
  // Without a version in the headers, the query selects one; a value that is no number selects none.
  const version = inPath ?? inHeaders ?? wholeNumber(inQuery) ?? ANSWERED_VERSION;
  if (version === ANSWERED_VERSION) return null;
  return NODE_VERSIONS.includes(version) ? NOT_FOUND : UNSUPPORTED_VERSION;
};

const METHODS = 'GET, HEAD, POST, OPTIONS';

/** What browsers may send if they do not say what they want to. */
const USUAL_HEADERS = 'API-Version, Accept, Content-Type, If-None-Match, nethash, version, port, os';

const TOKENS = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/;

const withoutBody = (status: number, headers: Headers): Refusal => ({
  status,
  headers: { 'cache-control': 'no-store', ...headers },
  body: '',
});

/** Permits whatever headers a browser asks to send: wallets send `nethash`, `version`, `port` and more. */
const preflight = (requested = ''): Refusal =>
  withoutBody(200, {
    allow: METHODS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': TOKENS.test(requested) ? requested : USUAL_HEADERS,
    'access-control-max-age': '86400',
  });

const refuse = (request: FastifyRequest, isOwnPort: boolean): Refusal | null => {
  const { method, headers, originalUrl: url, raw } = request;
  if (!hasFitHost(raw)) return badRequest('The request must have one Host header.');
  if (url.length > LONGEST_URL) return httpError({ status: 414, error: 'The URL is too long.' });
  const target = targetOf(url);
  if (!target) return badRequest('The URL has a broken percent-encoding.');
  const { path, sentPath, search, place } = target;
  if (method === 'OPTIONS') return preflight(headers['access-control-request-headers']);
  const isPost = method === 'POST';
  if (isPost && (place?.route === 'transactions' || (isOwnPort && path === POST_PATH)))
    // Clients show `message` or `error`.
    return reply({ success: false, message: NO_POSTS, error: NO_POSTS });
  if (!isReading(method)) return NOT_FOUND;
  if (path === '/') return reply({ data: 'Hello World!' });
  if (!place) return NOT_FOUND;
  if (sentPath.endsWith('/')) return withoutBody(301, { location: sentPath.slice(0, -1) + search });
  const refused = refusedVersion(place.version, request);
  if (refused) return refused;
  // The router is blind to case; a node is not.
  const isExact = request.route.url === `${CORE_V1_PATH}/${place.route}`;
  return !request.is404 && (isExact || IN_LOWER_CASE.includes(place.route)) ? null : NOT_FOUND;
};

/** What real nodes answered to version 1. */
export const CORE_V1: Way = {
  key: '',
  pathOf: (url) => {
    const { place, search } = targetOf(url) ?? {};
    return place ? `${CORE_V1_PATH}/${encodeURI(place.route)}${search}` : NOWHERE;
  },
  mayBeReady: (request) => {
    const { accept = '', host } = request.headers;
    return host !== undefined && !accept.startsWith('application/vnd.') && CONTRACT.mayBeReady(request);
  },
  refuse: (request) => refuse(request, false),
  tellsMethods: false,
  headers: CONTRACT.headers,
  refusalOf,
};

/** The same on a port of its own, where `/api/…` is version 1 too. */
export const CORE_V1_ALONE: Way = {
  ...CORE_V1,
  // The contract has other answers at the same URLs.
  key: 'v1 ',
  refuse: (request) => refuse(request, true),
  // What no route sees: a rate limit, an unreadable request. With `success`, which all clients read.
  refusalOf: (problem) => httpError(problem, { success: false }),
};
