import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, rawRequest, SeededRandom, untilServed } from '@roundhouse/testing';
import type { DataSource } from 'typeorm';
import { coreV1Request, type CoreV1Request } from './fuzz/core-v1-requests.js';
import { startApi } from './support/api-under-test.js';
import { HEAD_HEIGHT, publicKey } from './support/hand-made-chain.js';
import { KeepAliveClient } from './support/keep-alive-client.js';
import { readMetric } from './support/metrics.js';
import { plainRequest } from './support/plain-request.js';
import { seedChain } from './support/seed.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

type Json = Record<string, unknown>;

const SEED = 20_172;

const REQUESTS = 3000;

/** No 5xx, no 405: clients of nodes know neither. */
const STATUSES = new Set([200, 301, 400, 404]);

/** What reveals internals. Refusals repeat what the client sent, so this is only about our own words. */
const INSIDE =
  /node_modules|node:internal|\.(?:js|ts):\d+|\n +at |postgres|typeorm|syntax error|SELECT |out of range/i;

/** With a letter: a node reads a key of digits alone as a number. */
const KEY = `02${'ab'.repeat(32)}`;

const seedVoters = async (database: DataSource): Promise<void> => {
  await seedChain(database);
  await database.query(`UPDATE accounts SET vote = '\\x${KEY}' WHERE public_key IS NOT NULL`);
};

const HEIGHT = `"height":${HEAD_HEIGHT}`;

describe("Core's version 1", () => {
  let served: ServedChain;
  let own: string;
  beforeAll(async () => {
    served = await serveChain({ settings: { CORE_V1_PORT: '0' }, seed: seedVoters });
    own = served.api.coreV1Url!;
  });
  afterAll(() => served.stop());

  const get = async (url: string, headers: Record<string, string> = {}) => {
    const { status, headers: received, bytes } = await plainRequest(url, headers);
    return { status, headers: received, body: JSON.parse(bytes.toString()) as Json };
  };

  it('has a port only if CORE_V1_PORT is set, and /api/v1 on the main port in any case', async () => {
    const api = await startApi(served.databaseUrl);
    expect(api.coreV1Url).toBeNull();
    expect((await get(`${api.url}/api/v1/delegates?limit=1`)).body).toMatchObject({ totalCount: 8 });
    await api.close();
    const { port } = new URL(own);
    await expect(startApi(served.databaseUrl, { CORE_V1_PORT: port })).rejects.toThrow(
      /CORE_V1_PORT \d+ is in use/,
    );
    await expect(startApi(served.databaseUrl, { PORT: port, CORE_V1_PORT: port })).rejects.toThrow(
      `PORT and CORE_V1_PORT are both ${port}: set one of them to another number.`,
    );
  });

  it('does not change /api on the main port, whichever is asked first', async () => {
    const path = '/api/delegates?limit=1';
    for (const base of [own, served.api.url, own, served.api.url]) {
      const { body } = await get(base + path);
      expect('totalCount' in body).toBe(base === own);
    }
    expect((await get(`${served.api.url}/api/blocks/getHeight/`)).status).toBe(200);
    expect((await plainRequest(`${own}/api/blocks/getHeight/?x=1`)).headers.location).toBe(
      '/api/blocks/getHeight?x=1',
    );
  });

  it('keeps its answers like all others: per head, with a tag, compressed if asked', async () => {
    const url = `${own}/api/v1/delegates?limit=4`;
    const first = await get(url);
    const made = await readMetric(served.api, 'roundhouse_answers_made_total');
    const ready = await readMetric(served.api, 'roundhouse_answers_ready_total');
    expect(await get(url)).toMatchObject({ body: first.body });
    expect(await readMetric(served.api, 'roundhouse_answers_made_total')).toBe(made);
    expect(await readMetric(served.api, 'roundhouse_answers_ready_total')).toBe(ready + 1);
    const { etag = '' } = first.headers;
    expect((await plainRequest(url, { 'If-None-Match': etag })).status).toBe(304);
    const gzipped = await plainRequest(url, { 'Accept-Encoding': 'gzip' });
    expect([gzipped.status, first.headers['x-chain-height']]).toEqual([200, String(HEAD_HEIGHT)]);
    expect(first.headers['access-control-allow-origin']).toBe('*');
  });

  it('counts its requests by route, and those of no route together', async () => {
    await plainRequest(`${own}/api/blocks/getReward`);
    const metrics = await (await fetch(`${served.api.operationsUrl}/metrics`)).text();
    expect(metrics).toMatch(/route="\/api\/v1\/blocks\/getReward"/);
  });

  it('permits what browsers and wallets send', async () => {
    const asked = 'nethash,version,port,os,min-version,x-anything';
    const { status, headers } = await plainRequest(
      `${own}/api/delegates`,
      {
        Origin: 'http://wallet.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': asked,
      },
      'OPTIONS',
    );
    expect(status).toBe(200);
    expect(headers['access-control-allow-headers']).toBe(asked);
    expect(headers['access-control-allow-methods']).toContain('POST');
    const odd = { 'Access-Control-Request-Headers': 'a; b' };
    const refused = await plainRequest(`${own}/api/delegates`, odd, 'OPTIONS');
    expect(refused.headers['access-control-allow-headers']).toContain('nethash');
    const sent = { nethash: 'x', version: '2.0.0', port: '1' };
    expect((await get(`${own}/api/blocks/getHeight`, sent)).body).toMatchObject({ success: true });
  });

  it('speaks HTTP/1.0 without a host, and keeps connections', async () => {
    const answer = await rawRequest(own, 'GET /api/blocks/getHeight HTTP/1.0\r\n\r\n');
    expect(answer).toContain(HEIGHT);
    const peers = bodyOf(await rawRequest(own, 'GET /api/peers HTTP/1.0\r\n\r\n'));
    expect(peers).toMatchObject({ peers: [{ ip: '127.0.0.1', port: Number(new URL(own).port) }] });
    const client = new KeepAliveClient();
    for (let n = 0; n < 3; n += 1) {
      const { headers, text } = await client.get(`${own}/api/blocks/getHeight`);
      expect([headers.connection, text.includes(HEIGHT)]).toEqual(['keep-alive', true]);
    }
    client.close();
  });

  it('lists itself as the only peer, under the host that each client used', async () => {
    const peerFor = async (headers: Record<string, string>): Promise<unknown> =>
      ((await get(`${own}/api/peers`, headers)).body['peers'] as unknown[])[0];
    const peer = { version: '2.4.15', height: HEAD_HEIGHT, status: 'OK' };
    expect(await peerFor({ Host: 'index.example:4001' })).toMatchObject({
      ...peer,
      ip: 'index.example',
      port: 4001,
    });
    expect(await peerFor({ Host: '[2001:db8::1]' })).toMatchObject({ ip: '2001:db8::1', port: 80 });
    const behindTls = { Host: 'index.example', 'X-Forwarded-Proto': 'https' };
    expect(await peerFor(behindTls)).toMatchObject({ ip: 'index.example', port: 443 });
    const found = await get(`${own}/api/peers/get?ip=index.example&port=443`, behindTls);
    expect(found.body).toMatchObject({ peer });
  });

  it.each(['/peer/transactions', '/api/transactions', '/api/v1/transactions'])(
    'refuses transactions posted to %s, and says where to post them',
    async (path) => {
      const body = JSON.stringify({ transactions: [{ id: 'a'.repeat(5000) }] });
      const headers = { 'Content-Type': 'application/json', 'api-version': '1', nethash: 'x' };
      const response = await fetch(own + path, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      const said =
        'This server is an index of the chain and takes no transactions. Post the transaction to a node of this network.';
      expect(await response.json()).toEqual({ success: false, message: said, error: said });
    },
  );

  it.each([
    ['no route', '/api/nothing', {}, 404],
    ['another version', '/api/blocks/getHeight?version=2', {}, 404],
    ['an unknown version', '/api/blocks/getHeight', { 'API-Version': '3' }, 400],
    ['a broken path', '/api/%ZZ', {}, 400],
    ['a long URL', `/api/blocks/get?id=${'1'.repeat(8200)}`, {}, 414],
    ['two hosts', '/api/blocks/getHeight', { Host: 'a b' }, 400],
  ] as const)('refuses %s in the shape of a node', async (_, path, headers, status) => {
    const answer = await plainRequest(own, headers, 'GET', path);
    const body = JSON.parse(answer.bytes.toString()) as Json;
    expect([answer.status, body['statusCode'], typeof body['message']]).toEqual([status, status, 'string']);
  });

  it('refuses what no route sees in the shape of a node, with success: false', async () => {
    const bodies = [
      [await rawRequest(own, 'nonsense\r\n\r\n'), 400],
      [await rawRequest(own, 'FOO /api/blocks/getHeight HTTP/1.1\r\nHost: x\r\n\r\n'), 404],
      [await rawRequest(own, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`), 431],
    ] as const;
    for (const [answer, status] of bodies) {
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(bodyOf(answer)).toEqual({
        statusCode: status,
        error: expect.any(String),
        message: expect.any(String),
        success: false,
      });
    }
    const limited = await startApi(served.databaseUrl, { CORE_V1_PORT: '0', RATE_LIMIT: '1' });
    const url = `${limited.coreV1Url}/api/blocks/getHeight`;
    await plainRequest(url);
    const refused = await get(url);
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        statusCode: 429,
        error: 'Too Many Requests',
        message: 'Too many requests from this address; try again later.',
        success: false,
      },
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await limited.close();
  });

  it('reads parameters as a node: numbers, booleans, lists, the first fault only', async () => {
    const refusal = (path: string, error: string) => ({ path, error, success: false });
    const bodyAt = async (query: string): Promise<Json> => (await get(`${own}/api/delegates?${query}`)).body;
    expect(await bodyAt('limit=1e0')).toMatchObject({ success: true });
    expect(await bodyAt('limit=5')).toEqual(refusal('.limit', 'should be <= 4'));
    expect(await bodyAt('limit=true')).toEqual(refusal('.limit', 'should be integer'));
    expect(await bodyAt('limit=1&limit=2')).toEqual(refusal('.limit', 'should be integer'));
    expect(await bodyAt('offset=-1&limit=9')).toEqual(refusal('.limit', 'should be <= 4'));
    expect(await bodyAt('offset=99999999999999999999')).toMatchObject({ delegates: [], totalCount: 8 });
    const voters = async (key: string) => (await get(`${own}/api/delegates/voters?publicKey=${key}`)).body;
    expect(await voters(KEY.toUpperCase())).toEqual({ accounts: [], success: true });
    expect(await voters(publicKey(1))).toEqual(refusal('.publicKey', 'should be string'));
  });

  it('takes a version in the query only if the headers have none', async () => {
    const url = `${own}/api/peers?version=2.4.15`;
    expect((await get(url)).body).toMatchObject({ peers: [{ version: '2.4.15' }] });
    const counted = `${own}/api/delegates/count?version=2`;
    expect((await get(counted, { 'API-Version': '1' })).status).toBe(200);
    // The answer to the request before is not found by its URL alone.
    expect((await get(counted)).status).toBe(404);
    expect((await get(counted, { 'API-Version': '1' })).status).toBe(200);
  });

  it('streams long lists of voters', async () => {
    const api = await startApi(served.databaseUrl, { CORE_V1_PORT: '0', STREAM_FROM_VOTERS: '1' });
    const path = `/api/delegates/voters?publicKey=${KEY}`;
    const streamed = await get(api.coreV1Url! + path);
    expect(streamed.body).toEqual((await get(own + path)).body);
    expect((streamed.body['accounts'] as unknown[]).length).toBeGreaterThan(0);
    await api.close();
  });

  it('stops with the api: each kept connection gets its answer, then nothing listens', async () => {
    const api = await startApi(served.databaseUrl, { CORE_V1_PORT: '0', SHUTDOWN_DELAY_MS: '300' });
    const url = `${api.coreV1Url}/api/blocks/getHeight`;
    const client = new KeepAliveClient();
    await client.get(url);
    const stopped = api.stop();
    expect((await client.get(url)).status).toBe(200);
    await stopped;
    client.close();
    await expect(plainRequest(url)).rejects.toThrow('ECONNREFUSED');
  });

  const faultOf = async ({ method, path, headers }: CoreV1Request): Promise<string | null> => {
    const { status, bytes } = await untilServed(() => plainRequest(own, headers, method, path));
    const text = bytes.toString();
    if (!STATUSES.has(status)) return `status ${status}: ${text}`;
    if (INSIDE.test(text)) return `it reveals internals: ${text}`;
    if (method === 'HEAD' || method === 'OPTIONS' || status === 301)
      return text === '' ? null : 'it has a body';
    const body = JSON.parse(text) as { success?: unknown; statusCode?: unknown };
    const isOfNode = status === 200 ? typeof body.success === 'boolean' : body.statusCode === status;
    return isOfNode ? null : `not the shape of an answer: ${text}`;
  };

  it('answers any request with a status and a shape of a real node, and reveals nothing internal', async () => {
    const random = SeededRandom.of(SEED);
    const faults: string[] = [];
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      const request = coreV1Request(random);
      const fault = await faultOf(request).catch((error: unknown) => String(error));
      if (fault !== null)
        faults.push(`${request.method} ${request.path} ${JSON.stringify(request.headers)}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});
