export interface RawCase {
  readonly name: string;
  /** One character per byte. */
  readonly sent: string;
  readonly status: number;
}

const HOST = 'Host: here\r\nConnection: close\r\n';

const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\n${HOST}${headers}\r\n`;

const post = (headers: string, body = ''): string =>
  `POST /api/blocks HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;

const CHUNKED = 'Transfer-Encoding: chunked\r\n';

/**
 * Requests that a proxy in front of the api refuses, each with the status. It refuses some itself and passes the others
 * on to the api, which refuses them.
 */
export const REFUSED_BY_FRONT: readonly RawCase[] = [
  { name: 'a NUL in the path', sent: get('/api/blocks%00'), status: 400 },
  { name: 'a broken percent-encoding', sent: get('/api/%zz'), status: 400 },
  { name: 'a path above the root', sent: get('/../../etc'), status: 400 },
  { name: 'a URL beyond the buffers', sent: get(`/api/blocks?${'a'.repeat(40_000)}`), status: 414 },
  { name: "a URL beyond the api's limit", sent: get(`/api/blocks?${'a'.repeat(20_000)}`), status: 414 },
  { name: 'OPTIONS *', sent: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, status: 400 },
  { name: 'TRACE', sent: `TRACE /api/blocks HTTP/1.1\r\n${HOST}\r\n`, status: 405 },
  { name: 'CONNECT', sent: `CONNECT here:443 HTTP/1.1\r\n${HOST}\r\n`, status: 400 },
  { name: 'CONNECT with a path', sent: `CONNECT /api/blocks HTTP/1.1\r\n${HOST}\r\n`, status: 405 },
  { name: 'an unknown method', sent: `FOO /api/blocks HTTP/1.1\r\n${HOST}\r\n`, status: 405 },
  { name: 'the bytes of TLS', sent: '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03\x4f\r\n\r\n', status: 400 },
  { name: 'the beginning of HTTP/2', sent: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
  { name: 'HTTP/2.0', sent: `GET /api/blocks HTTP/2.0\r\n${HOST}\r\n`, status: 505 },
  { name: 'HTTP/9.9', sent: `GET /api/blocks HTTP/9.9\r\n${HOST}\r\n`, status: 505 },
  { name: 'text that is not HTTP', sent: 'hello\r\n\r\n', status: 400 },
  { name: 'another coding', sent: get('/api/blocks', 'Transfer-Encoding: gzip\r\n'), status: 501 },
  { name: 'a list of codings', sent: post('Transfer-Encoding: chunked, identity\r\n'), status: 501 },
  {
    name: 'a coding after a vertical tab',
    sent: post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'),
    status: 501,
  },
  { name: 'two codings', sent: post(`${CHUNKED}Transfer-Encoding: identity\r\n`, '0\r\n\r\n'), status: 400 },
  { name: 'a coding and a length', sent: post(`${CHUNKED}Content-Length: 5\r\n`, '0\r\n\r\n'), status: 400 },
  {
    name: 'a space before the colon',
    sent: post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'),
    status: 400,
  },
  { name: 'a malformed chunk', sent: post(CHUNKED, 'zz\r\n\r\n'), status: 400 },
  { name: 'two lengths', sent: post('Content-Length: 1\r\nContent-Length: 2\r\n', 'xx'), status: 400 },
  { name: 'a negative length', sent: post('Content-Length: -1\r\n'), status: 400 },
  { name: 'a long body', sent: post('Content-Length: 99999999\r\n', 'x'), status: 413 },
  { name: 'a long header', sent: get('/api/blocks', `X: ${'a'.repeat(40_000)}\r\n`), status: 431 },
  { name: 'many headers', sent: get('/api/blocks', `X: ${'a'.repeat(50)}\r\n`.repeat(4000)), status: 431 },
  { name: "headers beyond the api's limit", sent: get('/', `X: ${'a'.repeat(20_000)}\r\n`), status: 431 },
  { name: 'a NUL in a header', sent: get('/api/blocks', 'X: a\0b\r\n'), status: 400 },
  { name: 'no Host', sent: 'GET /api/blocks HTTP/1.1\r\nConnection: close\r\n\r\n', status: 400 },
  { name: 'two Hosts', sent: get('/api/blocks', 'Host: there\r\n'), status: 400 },
  {
    name: 'a Host with a space',
    sent: 'GET /api/blocks HTTP/1.1\r\nHost: a b/<>\r\nConnection: close\r\n\r\n',
    status: 400,
  },
  {
    name: 'a Host that names no host',
    sent: 'GET /api/blocks HTTP/1.1\r\nHost: <>\r\nConnection: close\r\n\r\n',
    status: 400,
  },
  { name: 'bytes beyond ASCII', sent: get('/api/delegates/search?q=\xff'), status: 400 },
  { name: 'an unknown path', sent: get('/nothing'), status: 404 },
  { name: "the path of one of nginx's errors", sent: get('/.problem/400'), status: 404 },
];

/** Lists what is wrong with a refusal. It must have the headers of all answers, each once, and one sentence. */
export const faultsOfRefusal = (received: string, status: number): string[] => {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => field.toLowerCase());
  const names = headers.map((field) => field.slice(0, field.indexOf(':')));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const expected = [
    'content-type: application/json; charset=utf-8',
    'api-version: 1',
    'vary: api-version, accept',
    'access-control-allow-origin: *',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    ...(status === 405 ? ['allow: get, head, options'] : []),
  ];
  return [
    ...(line.startsWith(`HTTP/1.1 ${status} `) ? [] : [`${line} instead of ${status}`]),
    ...expected.filter((field) => !headers.includes(field)).map((field) => `no ${field}`),
    ...(headers.some((field) => /^x-request-id: [\w.-]{1,128}$/.test(field)) ? [] : ['no x-request-id']),
    ...(names.includes('access-control-expose-headers') ? [] : ['no access-control-expose-headers']),
    ...twice.map((name) => `${name} twice`),
    ...(/^{"success":false,"error":"[A-Z][^"<>]*\."}$/.test(body) ? [] : [`the body ${body.slice(0, 200)}`]),
  ];
};
