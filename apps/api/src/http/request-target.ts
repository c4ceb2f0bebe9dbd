import type { IncomingMessage } from 'node:http';
import type { RawQuery } from '@roundhouse/dto';

export interface RequestTarget {
  /** Decoded, with ASCII letters in lower case, without host and without a trailing slash. Routes are compared with it. */
  readonly path: string;
  /** The same path as it was sent. */
  readonly rawPath: string;
  readonly query: RawQuery;
}

/** Longer than any URL of the contract, shorter than the parser's limit for a whole request head. */
export const LONGEST_URL = 8192;

const AUTHORITY = /^https?:\/\/[^/?#]*/i;

const decodeQuery = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const parseQueryText = (text: string): RawQuery => {
  const query = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeQuery(pair.slice(equals + 1));
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
};

/** Letters beyond ASCII keep their case: the lower case of the Kelvin sign would be an ASCII k. */
export const canonicalPath = (path: string): string => {
  const lower = path.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
};

const holdsNul = ({ path, query }: RequestTarget): boolean =>
  path.includes('\0') ||
  [...query].some(([name, values]) => [name, ...values].some((text) => text.includes('\0')));

/** A URL without its scheme and host, if any: a path, which is at least `/`, and a query. */
export const originForm = (url: string): string => {
  if (url.startsWith('/')) return url;
  const rest = url.replace(AUTHORITY, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
};

/** Parses path and query. Null if the URL holds a NUL or a broken percent-encoding. */
export const parseRequestTarget = (url: string): RequestTarget | null => {
  try {
    const [whole = ''] = originForm(url).split('#');
    const mark = whole.indexOf('?');
    const path = mark < 0 ? whole : whole.slice(0, mark);
    const target = {
      // decodeURI keeps an encoded slash, which does not separate path segments.
      path: canonicalPath(decodeURI(path)),
      rawPath: path,
      query: mark < 0 ? new Map<string, string[]>() : parseQueryText(whole.slice(mark + 1)),
    };
    return holdsNul(target) ? null : target;
  } catch {
    return null;
  }
};

/** Whether a canonical path has the segments of a route; those that begin with a colon may be anything but empty. */
export const matchesRoute = (segments: readonly string[], path: string): boolean => {
  const given = path.split('/');
  return (
    given.length === segments.length &&
    segments.every((segment, index) =>
      segment.startsWith(':') ? given[index] !== '' : segment === given[index],
    )
  );
};

/** The decoded segments at the places of a route's names, in the case in which they were sent. */
export const pathParameters = (route: string, { rawPath }: RequestTarget): RawQuery => {
  const given = rawPath.split('/');
  const values = new Map<string, string[]>();
  for (const [index, segment] of route.split('/').entries()) {
    if (segment.startsWith(':')) values.set(segment.slice(1), [decodeURIComponent(given[index]!)]);
  }
  return values;
};

/** A name, an IPv4 or an IPv6 address (RFC 3986, section 3.2.2), with or without a port; may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** `rawHeaders` holds each name, followed by its value. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
};

/** Whether a request names exactly one host (RFC 9112, section 3.2); HTTP/1.0 may omit it. */
export const hasFitHost = ({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean => {
  const { host } = headers;
  if (host === undefined) return httpVersion !== '1.1';
  return HOST.test(host) && countHosts(rawHeaders) === 1;
};
