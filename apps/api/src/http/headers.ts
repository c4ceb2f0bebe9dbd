export const JSON_TYPE = 'application/json; charset=utf-8';

export const HTML_TYPE = 'text/html; charset=utf-8';

export const SUPPORTED_VERSION = '1';

/**
 * What helmet would say of answers that are no pages: any site may read them (the API is public), none may take them for
 * anything else. HSTS is the word of whoever terminates TLS.
 */
const SECURITY_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/** On every response, in the flat form that `writeHead` takes; `chainHeaders` and the request's id come on top. */
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

/** The same, where there are compressed forms. */
export const COMPRESSIBLE_HEADERS: readonly string[] = COMMON_HEADERS.map((text, index) =>
  COMMON_HEADERS[index - 1] === 'Vary' ? `${text}, Accept-Encoding` : text,
);

/** A shared cache may help for as long as a pod itself may go on without asking the database. */
export const CACHE_CONTROL: readonly string[] = ['Cache-Control', 'public, max-age=1'];

/** Nobody on the way may keep it, or keep it back: nginx would, until its buffer is full. */
export const STREAM_HEADERS: readonly string[] = ['Cache-Control', 'no-store', 'X-Accel-Buffering', 'no'];

export const CLOSE: readonly string[] = ['Connection', 'close'];

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
