import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_HEADERS, SUPPORTED_VERSION, type Headers } from '../answers/headers.js';
import type { Allowance } from '../limits/rate-limit.service.js';
import { METHODS, problemWithStatus, refusalOf, type Problem, type Refusal } from './problem.js';

/** One contract: how requests for it are recognised, and what it refuses. Its controllers are in a module of its own. */
export interface Way {
  /** Where ready bytes of this way are kept: this, followed by the URL. */
  readonly key: string;
  /** The path and query that the router looks up. One that begins with `NOWHERE` is not found. */
  pathOf(url: string): string;
  /** Whether ready bytes may be sent: the headers change nothing about the answer. */
  mayBeReady(request: FastifyRequest): boolean;
  /**
   * What is wrong with a request, whether or not there is a route; null if nothing is. Then the parameters of its path are
   * as they were sent, whatever `pathOf` changed for the router.
   */
  refuse(request: FastifyRequest, isKnown: (url: string) => boolean): Refusal | null;
  /** Whether the rate limit counts a request. (Default: all) */
  readonly isCounted?: (request: FastifyRequest) => boolean;
  /** Headers that tell a client what the rate limit leaves to it. (Default: none) */
  readonly allowanceHeaders?: (allowance: Allowance) => Headers;
  /** Whether it says that a path exists, but not with this method. */
  readonly tellsMethods: boolean;
  /** On every response that says nothing else. */
  readonly headers: Headers;
  /** Adds to the headers of a response; returns its body. */
  readonly finish?: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown;
  /** An error that no route sees, such as a rate limit. */
  refusalOf(problem: Problem): Refusal;
}

/** Which requests a way takes: those of a path, those whose headers ask for a version; without both, all. */
export interface Choice {
  readonly prefix?: RegExp;
  readonly version?: string;
  readonly way: Way;
}

const ACCEPTED = /^application\/vnd\.core-api\.v(\d+)\+json$/;

const BELOW_API = /^\/api(?!\/v\d+(?:[/?#]|$))(?=[/?#]|$)/i;

/** The version that the headers of a request below `/api` ask for, unless its path names one. */
const versionAsked = (path: string, { 'api-version': version, accept = '' }: IncomingHttpHeaders) => {
  const asked = version ?? ACCEPTED.exec(accept)?.[1];
  return asked !== undefined && BELOW_API.test(path) ? asked : undefined;
};

/** The first way that takes a request. The last one takes all. */
export const wayOf = (
  choices: readonly Choice[],
  { url, headers }: Pick<IncomingMessage, 'url' | 'headers'>,
): Way => {
  const path = originForm(url!);
  const asked = versionAsked(path, headers);
  const chosen = choices.find(({ prefix, version }) =>
    prefix || version ? prefix?.test(path) || (version !== undefined && asked === version) : true,
  );
  return chosen!.way;
};

/** No route begins with it. */
export const NOWHERE = '/%00';

/** What the request hook learns of a request. */
declare module 'fastify' {
  interface FastifyRequest {
    way: Way;
    /** The client's address. */
    readonly client: string;
    /** The request's `routeOptions`, read once: Fastify makes a new object for each reading. */
    route: FastifyRequest['routeOptions'];
    /** Where ready bytes for this request are kept. */
    readyKey: string;
    /** The parameters as the handler got them, for the slow log. */
    parameters: object | undefined;
    /** When its turn came, by `performance.now()`; null once it is measured. */
    startedAt: number | null;
  }
}

/** Longer than any URL of the contract, shorter than the parser's limit for a whole request head. */
export const LONGEST_URL = 8192;

const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/** A URL without its scheme and host, if any: a path, which is at least `/`, and a query. */
export const originForm = (url: string): string => {
  if (url.startsWith('/')) return url;
  const rest = url.replace(AUTHORITY, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
};

/** Whether a path with its query has no broken percent-encoding and no NUL. */
export const decodes = (target: string): boolean => {
  const [sent = ''] = target.split('#');
  try {
    return !decodeURIComponent(sent).includes('\0');
  } catch {
    return false;
  }
};

/** The parameters of the query of a URL: a text, or a list of them if there are several with one name. */
export const parseQuery = (url: string): NodeJS.Dict<string | string[]> => {
  const mark = url.indexOf('?');
  // A broken encoding, which only Core's version 1 accepts, is kept as it is.
  return parse(mark < 0 ? '' : url.slice(mark + 1), '&', '=', { maxKeys: 0 });
};

/** A name, an IPv4 or an IPv6 address (RFC 3986, section 3.2.2), with or without a port; may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Whether a request names exactly one host (RFC 9112, section 3.2; several are joined); HTTP/1.0 may omit it. */
export const hasFitHost = ({ headers: { host }, httpVersion }: IncomingMessage): boolean =>
  host === undefined ? httpVersion !== '1.1' : HOST.test(host);

const PREFLIGHT: Refusal = {
  status: 204,
  headers: {
    allow: METHODS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers':
      'API-Version, Accept, Cache-Control, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id, X-Requested-With',
    'access-control-max-age': '86400',
  },
  body: '',
};

/** The lower case of these letters is, or begins with, one of ASCII; the router would take them for it. */
const LIKE_ASCII = /%C4%B0|%E2%84%AA/gi;

const REPLACEMENT = '%EF%BF%BD';

/** Puts the parameters of a path back as a client sent them. `pattern`: the path of the route. */
export const restoreParameters = (path: string, pattern: string, params: object): void => {
  const sent = path.split('/');
  for (const [index, segment] of pattern.split('/').entries()) {
    if (segment.startsWith(':'))
      (params as Record<string, string>)[segment.slice(1)] = decodeURIComponent(sent[index]!);
  }
};

export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Whether the headers ask for the contract, or for nothing: outside `/api`, only the header API-Version counts. */
const isSupported = ({ originalUrl, headers }: Pick<FastifyRequest, 'originalUrl' | 'headers'>): boolean => {
  const asked = headers['api-version'] ?? versionAsked(originForm(originalUrl), headers);
  return asked === undefined || asked === SUPPORTED_VERSION;
};

/** Whether a route belongs to a version of Core's API. The router ignores case, which is a part of their prefixes. */
export const isOfVersion = (route: string): boolean => /^\/api\/v\d/.test(route);

const badRequest = (error: string): Problem => ({ status: 400, error });

const wrongVersion = ({ originalUrl, headers }: FastifyRequest): Problem => {
  const place = headers['api-version'] === undefined ? 'version in Accept' : 'header API-Version';
  const supported = BELOW_API.test(originForm(originalUrl))
    ? '1 or 2, the supported versions'
    : '1, the supported version';
  return badRequest(`The ${place} must be ${supported}, or absent.`);
};

/** Below `/api`, a browser that asks for leave to name a version does not yet say which. */
const asksForVersion = ({ method, originalUrl, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  /\bapi-version\b/i.test(headers['access-control-request-headers'] ?? '') &&
  BELOW_API.test(originForm(originalUrl));

const problemOfRequest = (request: FastifyRequest, isKnown: (url: string) => boolean): Problem | null => {
  const { method, originalUrl: url, raw, params, route } = request;
  // Node leaves this check to us, because its own answer has no body.
  if (!hasFitHost(raw))
    return badRequest('The request must have one Host header, with a host and at most a port.');
  if (url.length > LONGEST_URL) return problemWithStatus(414);
  if (url.includes('%') && !decodes(originForm(url)))
    return badRequest('The URL has a broken percent-encoding or a NUL character.');
  const hasEmptySegment = Object.values(params as object).includes('');
  const isUnknown = request.is404 ? isReading(method) || !isKnown(raw.url!) : isOfVersion(route.url!);
  if ((hasEmptySegment || isUnknown) && !asksForVersion(request)) return problemWithStatus(404);
  if (!isReading(method)) return problemWithStatus(405);
  return isSupported(request) ? null : wrongVersion(request);
};

/** Version 1 of the API as it is documented, and what there is beside it: the page, events, the documents. */
export const CONTRACT: Way = {
  key: '',
  pathOf: (url) => {
    const [path = ''] = originForm(url).split('#', 1);
    if (!path.startsWith('/')) return NOWHERE;
    if (!path.includes('%')) return path;
    if (!decodes(path)) return NOWHERE;
    const end = path.indexOf('?');
    const [sent, rest] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end)];
    return sent.replace(LIKE_ASCII, REPLACEMENT) + rest;
  },
  mayBeReady: (request) => isReading(request.method) && isSupported(request) && hasFitHost(request.raw),
  refuse: (request, isKnown) => {
    const problem = problemOfRequest(request, isKnown);
    if (problem?.status === 405 && request.method === 'OPTIONS') return PREFLIGHT;
    if (problem) return refusalOf(problem);
    const { originalUrl: url, route, params } = request;
    // Otherwise the router has read what was sent.
    if (url.search(LIKE_ASCII) >= 0)
      restoreParameters(originForm(url).split(/[?#]/, 1)[0]!, route.url!, params as object);
    return null;
  },
  tellsMethods: true,
  headers: COMMON_HEADERS,
  refusalOf,
};
