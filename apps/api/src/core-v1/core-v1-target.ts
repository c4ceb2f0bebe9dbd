import type { RawQuery } from '@roundhouse/dto';
import { originForm } from '../http/request-target.js';

/** The part of a URL that a node looks at. */
export interface CoreV1Target {
  /** Decoded, with its case and slashes. */
  readonly path: string;
  /** The same as it was sent. */
  readonly sentPath: string;
  /** With its question mark; empty if there is none. */
  readonly search: string;
  readonly query: RawQuery;
}

/** `/api` in any case, then perhaps a version in lower case, then the route. */
const API_PATH = /^\/[Aa][Pp][Ii](?:\/v(\d+))?(?:\/(.*))?$/s;

const VERSIONED = /^\/[Aa][Pp][Ii]\/v1(?=[/?#]|$)/;

/** Whether a request to the main port is answered as Core's version 1. */
export const isCoreV1Url = (url: string): boolean => VERSIONED.test(originForm(url));

/** Unlike the contract, a node accepts broken percent-encodings in a query. */
const parseQuery = (search: string): RawQuery => {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
};

/** Null if the path has a broken percent-encoding. */
export const parseCoreV1Target = (url: string): CoreV1Target | null => {
  const [whole = ''] = originForm(url).split('#');
  const mark = whole.indexOf('?');
  const sentPath = mark < 0 ? whole : whole.slice(0, mark);
  const search = mark < 0 ? '' : whole.slice(mark);
  try {
    return { path: decodeURI(sentPath), sentPath, search, query: parseQuery(search) };
  } catch {
    return null;
  }
};

/** What the path says: the version, or null, and the route below `/api/` or `/api/v1/`. Null for all other paths. */
export const readApiPath = (path: string): { version: number | null; route: string } | null => {
  const match = API_PATH.exec(path);
  if (!match) return null;
  const [, version, route = ''] = match;
  return { version: version === undefined ? null : Number(version), route };
};
