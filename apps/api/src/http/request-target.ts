import type { RawQuery } from '@roundhouse/dto';

export interface RequestTarget {
  /** Decoded, letters of ASCII in lower case, without host and without a slash at the end: what routes are compared by. */
  readonly path: string;
  readonly query: RawQuery;
}

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

/** Letters beyond ASCII stay: some have a letter of ASCII as their small one, as the Kelvin sign has k. */
export const canonicalPath = (path: string): string => {
  const lower = path.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
};

const holdsNul = ({ path, query }: RequestTarget): boolean =>
  path.includes('\0') ||
  [...query].some(([name, values]) => [name, ...values].some((text) => text.includes('\0')));

/** A URL without its scheme and host, where it has them: a path, which is at least `/`, and a query. */
export const originForm = (url: string): string => {
  if (url.startsWith('/')) return url;
  const rest = url.replace(AUTHORITY, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
};

/** Reads what a request is about. Null where the URL holds a NUL or a broken percent-encoding. */
export const parseRequestTarget = (url: string): RequestTarget | null => {
  try {
    const [whole = ''] = originForm(url).split('#');
    const mark = whole.indexOf('?');
    const path = mark < 0 ? whole : whole.slice(0, mark);
    const target = {
      // decodeURI leaves an encoded slash as it is: it does not separate.
      path: canonicalPath(decodeURI(path)),
      query: mark < 0 ? new Map<string, string[]>() : parseQueryText(whole.slice(mark + 1)),
    };
    return holdsNul(target) ? null : target;
  } catch {
    return null;
  }
};
