// Parts of requests: some that no answer depends on, and some that are refused.

export const NOISE = [
  ...['_=1700000000000', 'x', '=', '=x', '', 'x=1&x=2', 'Limit=abc', 'limit[]=1', 'limit[0]=x', 'id.x=1'],
  ...['__proto__=1', '__proto__[limit]=1', 'constructor=1', 'constructor[prototype][limit]=9', 'prototype=x'],
  ...[
    'hasOwnProperty=1',
    'toString',
    'x=%F0%9F%98%80',
    '%E2%82%AC=1',
    'callback=alert(1)',
    'x=<script>',
    'x=%0D%0AX:1',
  ],
  ...[
    'offset%5B%5D=1',
    'x=..%2F..%2Fetc%2Fpasswd',
    `x=${'y'.repeat(500)}`,
    "x=';DROP%20TABLE%20blocks--",
    '?',
    'a?b=c?',
  ],
];

export const MALFORMED = [
  '%zz',
  '%',
  '%0',
  'x=%ff',
  '%E0%A4%A=1',
  'x=%00',
  '%00=1',
  'a=%C0%80',
  'x=%ED%A0%80',
  'x=%F8%88%80',
];

export const UNKNOWN_PATHS = [
  ...[
    '/api',
    '/api/',
    '/api/blocks/getSupplyx',
    '/api//blocks',
    '/api/blocks//',
    '/api/../api/blocks',
    '/.env',
  ],
  ...[
    '/api/%2e%2e/blocks',
    '/api/blocks%2Fget',
    '/api/blocks/get/1',
    '/metrics',
    '/health/live',
    '/__proto__',
  ],
  ...[
    '/api/constructor',
    '/api/delegates/toString',
    '/api/delegates/__proto__',
    '/wp-login.php',
    '/api/v3/blocks',
  ],
  ...[
    '/api/blocks;x=1',
    '/api/bloc%E2%84%AAs',
    '/api/blocks%20',
    '/api/%F0%9F%98%80',
    '/api/blocks/*',
    '/*',
    '/api/:group',
    '/index.php',
  ],
];

export const OTHER_METHODS = [
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'PROPFIND',
  'LOCK',
  'SEARCH',
  'PURGE',
  'TRACE',
  'QUERY',
];

export const BODIES = ['', '{"broken', '{}', 'x'.repeat(5000), '\0\0', '{"__proto__":{"limit":1}}', 'a=b'];

export const OTHER_VERSIONS = [
  '3',
  '0',
  '01',
  '1.0',
  'v1',
  '1, 1',
  '',
  '-1',
  '1;q=1',
  'latest',
  '__proto__',
  'x'.repeat(2000),
];

/** Values that are not a host, or have no valid port. */
export const UNFIT_HOSTS = [
  'a b/<>',
  'a b',
  '<>',
  'me@here',
  'here/',
  '[::1',
  '::1',
  'here:80:80',
  'here:x',
  'h\u00ffre',
  '"',
];

/** None of them changes an answer, except that codings change its bytes. */
export const IDLE_HEADERS: readonly (readonly [string, string])[] = [
  ['Accept', 'text/html'],
  ['Accept', '*/*;q=0'],
  ['Accept-Encoding', 'br'],
  ['Accept-Encoding', 'gzip, br;q=0.1, *;q=0'],
  ['Accept-Encoding', 'identity;q=0, *;q=0'],
  ['Accept-Encoding', ';;;,,,q=,'],
  ['Accept-Encoding', 'x,'.repeat(400)],
  ['Accept-Language', '*'.repeat(300)],
  ['Authorization', 'Basic Og=='],
  ['Cookie', '__proto__=1; a'],
  ['If-None-Match', '"'],
  ['If-None-Match', 'W/'],
  ['If-None-Match', ',,,"x",'],
  ['If-Match', '"x"'],
  ['If-Modified-Since', 'yesterday'],
  ['If-Range', '"x"'],
  ['Range', 'bytes=0-0,-1,5-4'],
  ['Origin', 'null'],
  ['Referer', '\u00ff'],
  ['X-Request-Id', 'a'.repeat(128)],
  ['X-Request-Id', 'a\tb'],
  ['X-Request-Id', '"><script>'],
  ['X-Forwarded-For', ', , 999.1.1.1, [::1'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/metrics'],
  ['Traceparent', '00-zz-00-01'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Content-Type', 'application/json'],
  ['Content-Type', 'multipart/form-data; boundary='],
  ['Transfer-Encoding-X', 'chunked'],
  ['Host', 'evil.example'],
  ['Forwarded', 'for=_hidden, for="[::1]"'],
  ['TE', 'trailers, deflate;q=0.5'],
  ['Via', '1.1 x'.repeat(50)],
  ['Max-Forwards', '-1'],
];
