import type { SeededRandom } from '@roundhouse/testing';
import { bytesOf, modelledRequest } from './modelled-request.js';

const LINES = [
  'Content-Length: 5',
  'Content-Length: 0',
  'Content-Length: -1',
  'Content-Length: 5, 5',
  'Content-Length: 0x5',
  'Content-Length: 99999999999999999999999',
  'Content-Length : 3',
  'Content-Length:',
  'Content-Length: +3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding:\tchunked',
  'transfer-encoding: CHUNKED',
  ' folded: value',
  '\tfolded',
  ': no name',
  'no colon',
  'A\0B: x',
  'X: a\0b',
  'X: \x7f\x01',
  'X\r: y',
  'X: y\rZ: 1',
  'X:\u00e9',
  'Host: here',
  'Host:',
  'Host: a b',
  'Host: a b/<>',
  'Host: [::1]:x',
  'HOST: there',
  'Host: \u00ff',
  'Connection: close',
  'Connection: keep-alive, close',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'Expect:',
  'Trailer: X',
  'Keep-Alive: timeout=999999',
  'Proxy-Connection: keep-alive',
  'API-Version: 1',
  'API-Version: 3',
  'X-Request-Id: a\u00ffb',
  'Accept-Encoding: gzip;q=nan',
  '()<>@,;: bad name',
  '__proto__: {}',
  'X-Forwarded-For: 1.2.3.4',
  'Cookie: a=b; c=d',
  'Referer: http://[',
  'Sec-WebSocket-Key: x',
];

const STARTS = [
  'GET http://here/api/blocks HTTP/1.1',
  'GET https://user:pass@[::1]:99999/api/blocks HTTP/1.1',
  'GET http:///api/blocks HTTP/1.1',
  'GET //api/blocks HTTP/1.1',
  'GET api/blocks HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET  /api/blocks HTTP/1.1',
  'GET /api/blocks  HTTP/1.1',
  'GET\t/api/blocks\tHTTP/1.1',
  'GET /api/blocks',
  'GET /api/blocks HTTP/0.9',
  'GET /api/blocks HTTP/1.0',
  'GET /api/blocks HTTP/1.2',
  'GET /api/blocks HTTP/2.0',
  'GET /api/blocks HTTP/9.9',
  'GET /api/blocks HTTP/1.1x',
  'GET /api/blocks http/1.1',
  'get /api/blocks HTTP/1.1',
  'G\0T /api/blocks HTTP/1.1',
  'GET /api/blocks?\0 HTTP/1.1',
  'GET /\xff HTTP/1.1',
  'GET /api/blocks#x HTTP/1.1',
  'GET ? HTTP/1.1',
  'GET ?limit=1 HTTP/1.1',
  'CONNECT here:443 HTTP/1.1',
  'CONNECT /api/blocks HTTP/1.1',
  'PRI * HTTP/2.0',
  'SOURCE /x ICE/1.0',
  'GET /api/blocks RTSP/1.0',
  'FOO /api/blocks HTTP/1.1',
  '/api/blocks',
  ' GET /api/blocks HTTP/1.1',
  'GET /api\\blocks HTTP/1.1',
  'GET http://here HTTP/1.1',
  'GET http://here?limit=1 HTTP/1.1',
  'GET /api/bloc%E2%84%AAs HTTP/1.1',
  'GET /docs/../docs HTTP/1.1',
  'GET /docs/nothing.css HTTP/1.1',
  'GET /assets/../ HTTP/1.1',
  'GET javascript:alert(1) HTTP/1.1',
  'GET file:///etc/passwd HTTP/1.1',
  'GET /api/blocks?a=\t HTTP/1.1',
  'GET /api/delegates/search?q=\xc3\xbc HTTP/1.1',
  'SUBSCRIBE /api/blocks HTTP/1.1',
  'M-SEARCH * HTTP/1.1',
];

const OTHER_PROTOCOLS = [
  Buffer.from('16030100c8010000c403034f', 'hex'),
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1'),
  Buffer.from('0000000804d2162f', 'hex'),
  Buffer.from('*1\r\n$4\r\nPING\r\n'),
  Buffer.from('SSH-2.0-x\r\n'),
  Buffer.from('\r\n\r\n\r\n\r\n'),
  Buffer.from('\n\n\n'),
  Buffer.alloc(3000),
];

const CHUNKS = [
  '0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  'fffffffffffffffff\r\n',
  '5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n',
  '-1\r\n',
  'z\r\n',
];

type Mutation = (bytes: Buffer, random: SeededRandom) => Buffer;

const splice = (bytes: Buffer, at: number, remove: number, insert: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);

const someBytes = (random: SeededRandom, most: number): Buffer =>
  Buffer.from(Array.from({ length: 1 + random.below(most) }, () => random.below(256)));

/** Inserts the line after a random line of the head. */
const insertLine = (bytes: Buffer, random: SeededRandom, line: string): Buffer => {
  const lines = bytes.toString('latin1').split('\r\n');
  const blank = Math.max(1, lines.indexOf(''));
  lines.splice(1 + random.below(blank), 0, line);
  return Buffer.from(lines.join('\r\n'), 'latin1');
};

const replaceStart = (bytes: Buffer, start: string): Buffer =>
  splice(bytes, 0, Math.max(0, bytes.indexOf('\r\n')), Buffer.from(start, 'latin1'));

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => splice(bytes, random.below(bytes.length), 1, someBytes(random, 1)),
  (bytes, random) => splice(bytes, random.below(bytes.length), 0, someBytes(random, 8)),
  (bytes, random) => splice(bytes, random.below(bytes.length), random.below(40), Buffer.alloc(0)),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => insertLine(bytes, random, random.pick(LINES)),
  (bytes, random) => insertLine(bytes, random, random.pick(LINES)),
  (bytes, random) => insertLine(bytes, random, random.pick(LINES)),
  (bytes, random) => replaceStart(bytes, random.pick(STARTS)),
  (bytes, random) => replaceStart(bytes, random.pick(STARTS)),
  (bytes, random) =>
    insertLine(bytes, random, `X: ${'a'.repeat(random.pick([100, 8000, 16_000, 20_000, 70_000]))}`),
  (bytes, random) => insertLine(bytes, random, 'X: y\r\n'.repeat(random.pick([10, 500, 3000])).slice(0, -2)),
  (bytes, random) =>
    replaceStart(bytes, `GET /api/blocks?${'a'.repeat(random.pick([8000, 8200, 17_000, 90_000]))} HTTP/1.1`),
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r'), 'latin1'),
  (bytes, random) => Buffer.concat([bytes, Buffer.from(random.pick(CHUNKS), 'latin1')]),
  (bytes, random) => Buffer.concat([bytes, someBytes(random, 200)]),
  (bytes, random) => Buffer.concat([bytes, bytesOf(readingRequest(random)), bytesOf(readingRequest(random))]),
  (bytes, random) => Buffer.concat(Array.from({ length: 2 + random.below(20) }, () => bytes)),
  (_, random) => random.pick(OTHER_PROTOCOLS),
];

/** Without HEAD, whose responses cannot be recognised by their bytes. */
const readingRequest = (random: SeededRandom) => {
  for (;;) {
    const request = modelledRequest(random);
    if (request.method !== 'HEAD') return request;
  }
};

/** Bytes that were a request before they were damaged. */
export const wildBytes = (random: SeededRandom): Buffer => {
  let bytes = bytesOf(readingRequest(random));
  do bytes = random.pick(MUTATIONS)(bytes, random);
  while (bytes.length > 0 && random.chance(0.4));
  return bytes;
};
