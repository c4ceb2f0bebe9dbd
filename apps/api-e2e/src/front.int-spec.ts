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
    served = await serveChain({ settings: { TRUST_PROXY: '1', CORE_V1_PORT: '0' } });
    const coreV1Port = Number(new URL(served.api.coreV1Url!).port);
    front = await startFront({ ...served.api, coreV1Port });
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
  });
});
