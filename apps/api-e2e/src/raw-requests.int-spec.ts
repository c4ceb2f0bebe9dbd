import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, eventually, rawRequest } from '@roundhouse/testing';
import { connectTo } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';
import { startTracedApi, type TracedApi } from './support/traced-api.js';

const HOST = 'Host: here\r\n';
const CLOSE = 'Connection: close\r\n';

const settings = { EVENTS_HEARTBEAT_MS: '50' };

let served: ServedChain;
let traced: TracedApi;
beforeAll(async () => {
  served = await serveChain({ settings });
  traced = await startTracedApi(served.databaseUrl, settings);
});
afterAll(async () => {
  await traced.stop();
  await served.stop();
});

describe.each(['without tracing', 'with tracing'])('bytes that no client library sends, %s', (tracing) => {
  let url: string;
  beforeAll(() => {
    url = (tracing === 'with tracing' ? traced : served.api).url;
  });

  it.each<[string, number, string]>([
    ['no HTTP at all', 400, 'hello\r\n\r\n'],
    ['a NUL in the path', 400, `GET /api/\0blocks HTTP/1.1\r\n${HOST}\r\n`],
    ['a broken header', 400, `GET /api/blocks HTTP/1.1\r\n${HOST}broken\r\n\r\n`],
    ['no Host', 400, `GET /api/blocks HTTP/1.1\r\n${CLOSE}\r\n`],
    ['two Hosts', 400, `GET /api/blocks HTTP/1.1\r\n${HOST}HOST: there\r\n${CLOSE}\r\n`],
    ['two Hosts in HTTP/1.0', 400, `GET /api/blocks HTTP/1.0\r\n${HOST}${HOST}\r\n`],
    ['the same Host twice', 400, `GET /docs HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`],
    ['a Host that is no host', 400, `GET /api/blocks HTTP/1.1\r\nHost: a b/<>\r\n${CLOSE}\r\n`],
    ['a Host with a user', 400, `GET /api/blocks HTTP/1.1\r\nHost: me@here\r\n${CLOSE}\r\n`],
    ['a Host with a port of letters', 400, `GET /api/blocks HTTP/1.1\r\nHost: here:http\r\n${CLOSE}\r\n`],
    ['a preflight of two Hosts', 400, `OPTIONS /api/blocks HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`],
    ['a Kelvin sign in the place of a k', 404, `GET /api/bloc%E2%84%AAs HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    ['a bad length', 400, `GET /api/blocks HTTP/1.1\r\n${HOST}Content-Length: x\r\n\r\n`],
    ['two lengths', 400, `GET /api/blocks HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    [
      'bytes beyond ASCII that are not encoded',
      400,
      `GET /api/delegates/search?q=\xff HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    ],
    ['headers beyond the limit', 431, `GET /api/blocks HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['many headers beyond the limit', 431, `GET / HTTP/1.1\r\n${'X: aaaaaaaaaaaaaaaa\r\n'.repeat(2000)}\r\n`],
    ['a URL beyond the limit', 414, `GET /api/blocks?${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown method, known path', 405, `FOO /api/Blocks/?x HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown method, unknown path', 404, `FOO /nothing HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown method, malformed path', 400, `FOO /%zz HTTP/1.1\r\n${HOST}\r\n`],
    ['the target of a whole server', 404, `GET * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    ['a method that only the parser knows', 404, `PRI *\n${HOST}${CLOSE}\r\n`],
    ['a POST to a whole server', 404, `POST * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    ['CONNECT to version 1', 404, `CONNECT /api/v1/blocks HTTP/1.1\r\n${HOST}\r\n`],
    ['CONNECT', 405, `CONNECT /api/blocks HTTP/1.1\r\n${HOST}\r\n`],
    ['CONNECT to somewhere', 404, `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`],
    ['TRACE', 405, `TRACE /api/blocks HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    [
      'a chunk extension beyond the limit',
      413,
      `POST /api/blocks HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
    ],
  ])('%s: %i', async (_, status, bytes) => {
    const response = await rawRequest(url, Buffer.from(bytes, 'latin1'));
    // An answer may be sent before the parser gives up on the rest.
    const last = response.slice(response.lastIndexOf('HTTP/1.1 '));
    expect(last).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(last).toMatch(/\r\nAPI-Version: 1\r\n/i);
    expect(last).toMatch(/\r\nVary: API-Version, Accept\r\n/i);
    expect(last).toMatch(/\r\nX-Chain-Height: 130\r\n/i);
    expect(last).toMatch(/\r\nX-Indexed-At: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\r\n/i);
    expect(last.match(/\r\nX-Request-Id: [\w.-]+\r\n/gi)).toHaveLength(1);
    expect(last.match(/\r\nConnection: /gi)).toHaveLength(1);
    expect(bodyOf(last)).toEqual({ success: false, error: expect.stringMatching(/^[A-Z].*\.$/) });
    if (status === 405) expect(last).toMatch(/\r\nAllow: GET, HEAD, OPTIONS\r\n/i);
  });

  it.each<[string, string]>([
    [
      'the absolute form of a proxy',
      `GET http://here/api/blocks/getMilestone HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    ],
    ['a Host with a port', `GET /api/blocks/getMilestone HTTP/1.1\r\nHost: 127.0.0.1:4003\r\n${CLOSE}\r\n`],
    ['a Host of IPv6', `GET /api/blocks/getMilestone HTTP/1.1\r\nHost: [::1]:4003\r\n${CLOSE}\r\n`],
    ['an empty Host', `GET /api/blocks/getMilestone HTTP/1.1\r\nHost:\r\n${CLOSE}\r\n`],
    ['HTTP/1.0 without Host', 'GET /api/blocks/getMilestone HTTP/1.0\r\n\r\n'],
    [
      'an expectation',
      `GET /api/blocks/getMilestone HTTP/1.1\r\n${HOST}${CLOSE}Expect: 100-continue\r\n\r\n`,
    ],
    [
      'an unknown expectation',
      `GET /api/blocks/getMilestone HTTP/1.1\r\n${HOST}${CLOSE}Expect: 200-maybe\r\n\r\n`,
    ],
    [
      'an offer to upgrade',
      `GET /api/blocks/getMilestone HTTP/1.1\r\n${HOST}Connection: upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
    ],
    [
      'a GET with a body',
      `GET /api/blocks/getMilestone HTTP/1.1\r\n${HOST}${CLOSE}Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{broken`,
    ],
    ['a fragment', `GET /api/blocks/getMilestone?a=1#b=%zz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
  ])('%s is served', async (_, bytes) => {
    const response = await rawRequest(url, bytes);
    expect(response).toMatch(/HTTP\/1.1 200 /);
    expect(response).toMatch(/{"milestone":0,"success":true}$/);
  });

  it.each([
    ['no Host', ''],
    ['two Hosts', HOST + HOST],
    ['a Host that is no host', 'Host: a b/<>\r\n'],
  ])('%s is 400 even if the answer is ready', async (_, host) => {
    const path = '/api/blocks/getMilestone';
    for (let turn = 0; turn < 2; turn += 1) await (await fetch(url + path)).arrayBuffer();
    const response = await rawRequest(url, `GET ${path} HTTP/1.1\r\n${host}${CLOSE}\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
  });

  it('leaves out a fragment', async () => {
    const received = await rawRequest(url, `GET /api/blocks?limit=2#x HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    expect(received).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each(['http://here', 'http://here/', 'http://here?x=1', 'HTTP://here', '//'])(
    '%s is the page',
    async (target) => {
      const response = await rawRequest(url, `GET ${target} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
      expect(response).toMatch(/^HTTP\/1.1 200 .*\r\nContent-Type: text\/html; charset=utf-8\r\n/is);
    },
  );

  const statusesOf = (received: string): string[] =>
    [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status!);

  it.each<[string, string, string]>([
    ['garbage', 'hello\r\n\r\n', '400'],
    ['a NUL', '\0', '400'],
    ['the bytes of TLS', '\x16\x03\x01\x00\xc8\x01', '400'],
    ['an unknown method', `FOO /api/blocks HTTP/1.1\r\n${HOST}\r\n`, '405'],
    ['an unknown method on an unknown path', `FOO /nothing HTTP/1.1\r\n${HOST}\r\n`, '404'],
    ['a broken header', `GET /api/blocks HTTP/1.1\r\nbroken\r\n\r\n`, '400'],
    ['headers beyond the limit', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
    ['a URL beyond the limit', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, '414'],
  ])('a request is answered although %s follows it in the same packet', async (_, bytes, status) => {
    // The second is ready, the third has to be made.
    for (const path of ['getMilestone', 'getMilestone', `?offset=1&limit=${1 + (bytes.length % 90)}`]) {
      const first = `GET /api/blocks/${path} HTTP/1.1\r\n${HOST}\r\n`;
      const received = await rawRequest(url, Buffer.from(first + bytes, 'latin1'));
      expect([path, ...statusesOf(received)]).toEqual([path, '200', status]);
    }
  });

  it('an unreadable HEAD after another request is answered without a body', async () => {
    const get = `GET /api/blocks/getMilestone HTTP/1.1\r\n${HOST}\r\n`;
    const received = await rawRequest(url, `${get}HEAD /api/blocks?a b HTTP/1.1\r\n${HOST}\r\n`);
    expect(statusesOf(received)).toEqual(['200', '400']);
    expect(received).toMatch(/\r\n\r\n$/);
    const head = `HEAD /api/blocks/getMilestone HTTP/1.1\r\n${HOST}\r\n`;
    expect(await rawRequest(url, `${head}hello\r\n\r\n`)).toMatch(/HTTP\/1.1 400 .*"success":false/s);
  });

  it('garbage sent during a stream of events does not get into it', async () => {
    const socket = connectTo(url);
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    const heartbeats = (): number => received.split(': still here').length - 1;
    socket.write(`GET /events HTTP/1.1\r\n${HOST}\r\n`);
    await eventually('the stream has begun', () => Promise.resolve(heartbeats() > 0));
    const before = heartbeats();
    socket.write('hello\r\n\r\n'.repeat(3));
    await eventually('the stream goes on', () => Promise.resolve(heartbeats() > before + 2));
    socket.destroy();
    expect(statusesOf(received)).toEqual(['200']);
  });

  it('requests that wait for their turn are all answered although garbage follows them', async () => {
    const get = (offset: number) => `GET /api/blocks?limit=3&offset=${offset} HTTP/1.1\r\n${HOST}\r\n`;
    const received = await rawRequest(url, `${get(11)}${get(12)}${get(13)}hello\r\n\r\n`);
    expect(statusesOf(received)).toEqual(['200', '200', '200', '400']);
  });
});
