/** By name in lower case. */
export type Headers = Readonly<Record<string, string>>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export const CSV_MEDIA_TYPE = 'text/csv';

export const CSV_TYPE = `${CSV_MEDIA_TYPE}; charset=utf-8`;

export const HTML_TYPE = 'text/html; charset=utf-8';

export const SUPPORTED_VERSION = '1';

/** Any site may read the answers, but browsers must not guess their type. The server that terminates TLS sets HSTS. */
export const SECURITY_HEADERS: Headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
};

/** On every response. The chain's headers and the request's id are added. */
export const COMMON_HEADERS: Headers = {
  'api-version': SUPPORTED_VERSION,
  vary: 'API-Version, Accept',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'API-Version, ETag, Retry-After, X-Chain-Height, X-Indexed-At, X-Request-Id',
  ...SECURITY_HEADERS,
};

/** How long a shared cache may keep an answer. The api itself serves one for this time without asking the database. */
export const CACHE_CONTROL = 'public, max-age=1';

/** For answers that never change: a year, which caches take for ever. */
export const LASTING_CACHE_CONTROL = 'public, max-age=31536000, immutable';
