import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, faultsOfRefusal, rawRequest, REFUSED_BY_FRONT } from '@roundhouse/testing';
import { hasNginx, startFront, type Front } from './support/front.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

// Needs nginx.
const describeWithNginx = hasNginx ? describe : describe.skip;

describeWithNginx('the nginx of the containers', () => {
  let served: ServedChain;
  let front: Front;
  beforeAll(async () => {
    served = await serveChain({ settings: { TRUST_PROXY: '1', CORE_V1_PORT: '0', CORE_V2_PORT: '0' } });
    front = await startFront(served.api);
  });
  afterAll(async () => {
    await front.stop();
    await served.stop();
  });

  const send = (bytes: string): Promise<string> => rawRequest(front.url, Buffer.from(bytes, 'latin1'));

  it.each(REFUSED_BY_FRONT)(
    'refuses with $status in the shape of all errors: $name',
    async ({ sent, status }) => {
      const received = await rawRequest(front.url, Buffer.from(sent, 'latin1'));
      expect(faultsOfRefusal(received, status)).toEqual([]);
    },
  );

  it('refuses a HEAD without a body', async () => {
    const received = await send('HEAD /api/%zz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 400 [^]*\r\nAPI-Version: 1\r\n[^]*\r\n\r\n$/i);
  });

  it.each([
    ['valid', 'mine.7_a-b', /\r\nX-Request-Id: mine\.7_a-b\r\n/i],
    ['not fit', '"><script>', /\r\nX-Request-Id: [0-9a-f]{32}\r\n/i],
    ['too long', 'x'.repeat(129), /\r\nX-Request-Id: [0-9a-f]{32}\r\n/i],
  ])("chooses the id of a refusal as the api does, if the client's own id is %s", async (_, id, expected) => {
    for (const method of ['TRACE', 'POST']) {
      const received = await send(
        `${method} /api/blocks HTTP/1.1\r\nHost: here\r\nConnection: close\r\nX-Request-Id: ${id}\r\n\r\n`,
      );
      expect(received).toMatch(/^HTTP\/1\.1 405 /);
      expect(received).toMatch(expected);
    }
  });

  it.each([
    ['HTTP/1.0 without Host', 'GET /api/blocks/getMilestone HTTP/1.0\r\n\r\n'],
    [
      'a Host with a port',
      'GET /api/blocks/getMilestone HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n',
    ],
    [
      'the absolute form',
      'GET http://here/api/blocks/getMilestone HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
    ],
  ])('passes on %s', async (_, bytes) => {
    expect(await send(bytes)).toMatch(/^HTTP\/1\.1 200 [^]*{"milestone":0,"success":true}$/);
  });

  it("passes on what comes to the port of Core's version 1, with the host that the client used", async () => {
    const supply = await fetch(`${front.coreV1Url}/api/delegates?limit=1`);
    expect(await supply.json()).toMatchObject({ success: true, totalCount: expect.any(Number) });
    const { port } = new URL(front.coreV1Url);
    const peers = await fetch(`${front.coreV1Url}/api/peers`);
    expect(await peers.json()).toMatchObject({ peers: [{ ip: '127.0.0.1', port: Number(port) }] });
    const main = await fetch(`${front.url}/api/delegates?limit=1`);
    expect(await main.json()).not.toHaveProperty('totalCount');
    const posted = await fetch(`${front.coreV1Url}/peer/transactions`, { method: 'POST', body: '{}' });
    expect([posted.status, await posted.json()]).toMatchObject([200, { success: false }]);
  });

  it("passes on what comes to the port of Core's version 2, and what asks for it on the main port", async () => {
    const list = { meta: { count: 1 }, data: [{ rank: 1 }] };
    const asked = [
      [`${front.coreV2Url}/api/delegates?limit=1`, {}],
      [`${front.url}/api/v2/delegates?limit=1`, {}],
      [`${front.url}/api/delegates?limit=1`, { 'API-Version': '2' }],
      [`${front.url}/api/delegates?limit=1`, { Accept: 'application/vnd.core-api.v2+json' }],
    ] as const;
    for (const [url, headers] of asked)
      expect(await (await fetch(url, { headers })).json()).toMatchObject(list);
    const peers = await fetch(`${front.coreV2Url}/api/peers`);
    const { port } = new URL(front.coreV2Url);
    expect(await peers.json()).toMatchObject({ data: [{ ip: '127.0.0.1', port: Number(port) }] });
    const unlocked = await fetch(`${front.coreV2Url}/api/locks/unlocked`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ids: ['ab'.repeat(32)] }),
    });
    expect([unlocked.status, await unlocked.json()]).toMatchObject([200, { data: [] }]);
  });

  /** Requests that nginx itself refuses: their head is too large. */
  const LARGE = `X-Large: ${'x'.repeat(40_000)}\r\n`;
  const inV2 = { statusCode: 431, error: 'Request Header Fields Too Large', message: expect.any(String) };
  const inContract = { success: false, error: expect.any(String) };
  it.each([
    ['its port', () => front.coreV2Url, '/api/blocks', '', inV2],
    ['the prefix', () => front.url, '/api/v2/blocks', '', inV2],
    ['the header', () => front.url, '/api/blocks', 'API-Version: 2\r\n', inV2],
    ['Accept', () => front.url, '/api/blocks', 'Accept: application/vnd.core-api.v2+json\r\n', inV2],
    ['the prefix of 1', () => front.url, '/api/v1/blocks', 'API-Version: 2\r\n', inContract],
    ['the header of 1', () => front.url, '/api/blocks', 'API-Version: 1\r\n', inContract],
    ['nothing', () => front.url, '/api/blocks', '', inContract],
    ['a header elsewhere', () => front.url, '/apis', 'API-Version: 2\r\n', inContract],
  ] as const)(
    'refuses in the shape of the version that %s asks for',
    async (_, url, path, headers, shape) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n${headers}${LARGE}\r\n`;
      const received = await rawRequest(url(), request);
      expect(received).toMatch(/^HTTP\/1\.1 431 /);
      expect(received).toMatch(shape === inV2 ? /\r\nAPI-Version: 2\r\n/ : /\r\nAPI-Version: 1\r\n/);
      expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual(shape);
    },
  );

  it('answers a request, and refuses the unreadable bytes behind it as a second request', async () => {
    const received = await send('GET /api/blocks/getMilestone HTTP/1.1\r\nHost: here\r\n\r\nhello\r\n\r\n');
    const [first = '', second = ''] = received.split(/(?<=})(?=HTTP\/1\.1)/);
    expect(first).toMatch(/^HTTP\/1\.1 200 [^]*{"milestone":0,"success":true}$/);
    expect(faultsOfRefusal(second, 400)).toEqual([]);
  });

  it('also refuses in that shape when no api answers', async () => {
    await served.api.close();
    let received = '';
    await eventually('no api answers', async () => {
      received = await send('GET /api/blocks HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
      return received.startsWith('HTTP/1.1 503 ');
    });
    expect(faultsOfRefusal(received, 503)).toEqual([]);
    expect(received).toMatch(/\r\nRetry-After: 2\r\n/);
    const answer = await fetch(`${front.coreV2Url}/api/blocks`);
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '2',
      { statusCode: 503, error: 'Service Unavailable', message: expect.stringContaining('No api answers') },
    ]);
  });
});
