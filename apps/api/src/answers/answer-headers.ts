import type { HeadRecord } from '@roundhouse/readers';

// Headers are flat arrays, each name followed by its value: Node's `writeHead` sends these without a copy.

export const JSON_TYPE = 'application/json; charset=utf-8';

export const HTML_TYPE = 'text/html; charset=utf-8';

export const SUPPORTED_VERSION = '1';

/** Any site may read the answers, but browsers must not guess their type. The server that terminates TLS sets HSTS. */
export const SECURITY_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/** On every response. The chain's headers and the request's id are added. */
export const COMMON_HEADERS: readonly string[] = [
  'API-Version',
  SUPPORTED_VERSION,
  'Vary',
  'API-Version',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'API-Version, ETag, Retry-After, X-Chain-Height, X-Indexed-At, X-Request-Id',
  ...SECURITY_HEADERS,
];

/** The same headers, for responses that have compressed forms. */
export const COMPRESSIBLE_HEADERS: readonly string[] = COMMON_HEADERS.map((text, index) =>
  COMMON_HEADERS[index - 1] === 'Vary' ? `${text}, Accept-Encoding` : text,
);

/** How long a shared cache may keep an answer. The api itself serves one for this time without asking the database. */
export const CACHE_CONTROL: readonly string[] = ['Cache-Control', 'public, max-age=1'];

/** For answers that never change: a year, which caches take for ever. */
export const LASTING_CACHE_CONTROL: readonly string[] = [
  'Cache-Control',
  'public, max-age=31536000, immutable',
];

/** The headers of the newest head: many answers share one head. */
let newest: { readonly head: HeadRecord; readonly headers: readonly string[] } | undefined;

/** The height and time of the head; empty before the first block. */
export const chainHeaders = (head: HeadRecord | null | undefined): readonly string[] => {
  if (!head) return [];
  if (newest?.head !== head) newest = { head, headers: headersOf(head) };
  return newest.headers;
};

const headersOf = ({ height, indexedAtUs }: HeadRecord): readonly string[] => [
  'X-Chain-Height',
  String(height),
  'X-Indexed-At',
  new Date(Number(indexedAtUs / 1000n)).toISOString(),
];
