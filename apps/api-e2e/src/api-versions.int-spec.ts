import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, rawRequest, untilServed } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { HEAD_HEIGHT } from './support/hand-made-chain.js';
import { plainRequest, type PlainAnswer } from './support/plain-request.js';
import { readMetric } from './support/metrics.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

type Sent = Readonly<Record<string, string>>;
type Json = Record<string, unknown>;

const PATH = '/api/delegates?limit=1';
const IN_V1 = '/api/v1/delegates?limit=1';
const IN_V2 = '/api/v2/delegates?limit=1';

const HEADER_1 = { 'API-Version': '1' };
const HEADER_2 = { 'API-Version': '2' };
const HEADER_3 = { 'API-Version': '3' };
const acceptOf = (version: number | string): Sent => ({
  Accept: `application/vnd.core-api.v${version}+json`,
});

/** Who answered, by the shape of the body, and with which status. */
type Answerer = 'contract' | 'version 1' | 'version 2';
type Case = readonly [what: string, path: string, headers: Sent, answerer: Answerer, status: number];

const ON_MAIN_PORT: readonly Case[] = [
  ['nothing', PATH, {}, 'contract', 200],
  ['the header', PATH, HEADER_2, 'version 2', 200],
  ['nothing once more', PATH, {}, 'contract', 200],
  ['the header of 1', PATH, HEADER_1, 'contract', 200],
  ['Accept', PATH, acceptOf(2), 'version 2', 200],
  ['Accept of 1', PATH, acceptOf(1), 'contract', 200],
  ['the prefix', IN_V2, {}, 'version 2', 200],
  ['the prefix, header of 1', IN_V2, HEADER_1, 'version 2', 200],
  ['the prefix, unknown header', IN_V2, HEADER_3, 'version 2', 200],
  ['the prefix of 1', IN_V1, {}, 'version 1', 200],
  ['the prefix of 1, header', IN_V1, HEADER_2, 'version 1', 200],
  ['header of 1, Accept of 2', PATH, { ...HEADER_1, ...acceptOf(2) }, 'contract', 200],
  ['header of 2, Accept of 1', PATH, { ...HEADER_2, ...acceptOf(1) }, 'version 2', 200],
  ['header of 2, unknown Accept', PATH, { ...HEADER_2, ...acceptOf(9) }, 'version 2', 200],
  ['unknown header, Accept of 2', PATH, { ...HEADER_3, ...acceptOf(2) }, 'contract', 400],
  ['an unknown header', PATH, HEADER_3, 'contract', 400],
  ['an unknown Accept', PATH, acceptOf(3), 'contract', 400],
  ['an Accept that names more', PATH, { Accept: `${acceptOf(2)['Accept']}, */*` }, 'contract', 200],
  ['an unknown prefix', '/api/v3/delegates', HEADER_2, 'contract', 404],
  ['a prefix in capitals', '/api/V2/delegates', {}, 'contract', 404],
  ['capitals, as the contract takes them', '/API/Delegates?limit=1', {}, 'contract', 200],
  ['capitals, which nodes do not take', '/API/Delegates?limit=1', HEADER_2, 'version 2', 404],
  ['the prefix twice', '/api/v2/v2/delegates', {}, 'version 2', 404],
  ['the prefix alone', '/api/v2', {}, 'version 2', 404],
  ['a slash', '/api/v2/delegates/?limit=1', {}, 'version 2', 200],
  ['two slashes', '/api/v2/delegates//?limit=1', {}, 'version 2', 404],
  ['two slashes, header', '/api/blocks//', HEADER_2, 'version 2', 404],
  ['a route of version 2 alone', '/api/wallets?limit=1', {}, 'contract', 404],
  ['the same, header', '/api/wallets?limit=1', HEADER_2, 'version 2', 200],
  ['a route of the contract alone', '/api/loader/status', HEADER_2, 'version 2', 404],
  ['a refused parameter', '/api/delegates?limit=0', HEADER_2, 'version 2', 422],
  ['a letter whose lower case is two', '/api/delegates?username=%C4%B0', HEADER_2, 'version 2', 200],
  ['the same letter in the path', '/api/wallets/%C4%B0', HEADER_2, 'version 2', 404],
  ['the same letter before more', '/api/wallets/%C4%B0/votes', HEADER_2, 'version 2', 422],
  ['a Kelvin sign', '/api/bloc%E2%84%AAs', HEADER_2, 'version 2', 404],
  ['elsewhere, Accept', '/status.json', acceptOf(2), 'contract', 200],
  ['elsewhere, unknown Accept', '/status.json', acceptOf(3), 'contract', 200],
  ['elsewhere, header', '/status.json', HEADER_2, 'contract', 400],
];

const ON_PORT_OF_V1: readonly Case[] = [
  ['nothing', PATH, {}, 'version 1', 200],
  ['the header', PATH, HEADER_2, 'version 2', 200],
  ['the header of 1', PATH, HEADER_1, 'version 1', 200],
  ['Accept', PATH, acceptOf(2), 'version 2', 200],
  ['Accept of 1', PATH, acceptOf(1), 'version 1', 200],
  ['the prefix', IN_V2, {}, 'version 2', 200],
  ['the prefix, header of 1', IN_V2, HEADER_1, 'version 2', 200],
  ['the prefix of 1, header', IN_V1, HEADER_2, 'version 1', 200],
  ['header of 1, Accept of 2', PATH, { ...HEADER_1, ...acceptOf(2) }, 'version 1', 200],
  ['header of 2, Accept of 1', PATH, { ...HEADER_2, ...acceptOf(1) }, 'version 2', 200],
  ['an unknown header', PATH, HEADER_3, 'version 1', 400],
  ['a route of version 2 alone', '/api/wallets?limit=1', {}, 'version 1', 404],
  ['the same, header', '/api/wallets?limit=1', HEADER_2, 'version 2', 200],
  ['a refused parameter', '/api/delegates?limit=0', acceptOf(2), 'version 2', 422],
];

const ON_PORT_OF_V2: readonly Case[] = [
  ['nothing', PATH, {}, 'version 2', 200],
  ['the header of 1', PATH, HEADER_1, 'version 2', 200],
  ['the header', PATH, HEADER_2, 'version 2', 200],
  ['an unknown header', PATH, HEADER_3, 'version 2', 200],
  ['Accept of 1', PATH, acceptOf(1), 'version 2', 200],
  ['an unknown Accept', PATH, acceptOf(3), 'version 2', 200],
  ['the prefix of 1', IN_V1, {}, 'version 2', 404],
  ['two slashes', '/api/blocks//', {}, 'version 2', 404],
  ['what is not of nodes', '/status.json', {}, 'version 2', 404],
  ['a greeting', '/', {}, 'version 2', 200],
];

const PREFIX_OFF: readonly Case[] = [['the prefix', IN_V2, {}, 'version 2', 404]];
const PREFIX_ON: readonly Case[] = [
  ['the prefix', IN_V2, {}, 'version 2', 200],
  ['the prefix twice', '/api/v2/v2/delegates', {}, 'version 2', 404],
];

const bodyOf = ({ bytes }: PlainAnswer): Json => JSON.parse(bytes.toString()) as Json;

const answererOf = (path: string, { status, ...answer }: PlainAnswer): Answerer => {
  const body = bodyOf({ status, ...answer });
  if ('data' in body) return 'version 2';
  if (status === 200) return 'totalCount' in body ? 'version 1' : 'contract';
  if ('success' in body) return 'contract';
  expect({ path, ...body }).toEqual({
    path,
    statusCode: status,
    error: expect.any(String),
    message: expect.any(String),
  });
  return answer.headers['x-block-height'] === undefined ? 'version 1' : 'version 2';
};

/** What identifies an answer; the rest changes with each response. */
const lasting = ({ status, headers, bytes }: PlainAnswer) => {
  const { date: _, 'x-request-id': __, ...rest } = headers;
  return { status, headers: rest, body: bytes.toString() };
};

describe('the versions of the api', () => {
  let served: ServedChain;
  let prefixed: ServedChain['api'];
  beforeAll(async () => {
    served = await serveChain({ settings: { CORE_V1_PORT: '0', CORE_V2_PORT: '0' } });
    prefixed = await startApi(served.databaseUrl, { CORE_V2_PORT: '0', CORE_V2_PREFIX: 'on' });
  });
  afterAll(async () => {
    await prefixed.close();
    await served.stop();
  });

  const ask = (base: string, path: string, headers: Sent = {}, method = 'GET'): Promise<PlainAnswer> =>
    untilServed(
      () => plainRequest(base, headers, method, path),
      ({ status, bytes }) => status === 503 && /just now/.test(bytes.toString()),
    );

  const PORTS: readonly (readonly [port: string, url: () => string, cases: readonly Case[]])[] = [
    ['the main port', () => served.api.url, ON_MAIN_PORT],
    ['CORE_V1_PORT', () => served.api.coreV1Url!, ON_PORT_OF_V1],
    ['CORE_V2_PORT', () => served.api.coreV2Url!, [...ON_PORT_OF_V2, ...PREFIX_OFF]],
    ['CORE_V2_PORT with CORE_V2_PREFIX', () => prefixed.coreV2Url!, [...ON_PORT_OF_V2, ...PREFIX_ON]],
  ];

  it.each(PORTS)(
    '%s: path and headers choose the version, also when answers are kept',
    async (_, url, cases) => {
      const first = new Map<string, object>();
      // In both orders, so that each answer is asked for before and after those of other versions.
      for (const [what, path, headers, answerer, status] of [...cases, ...[...cases].reverse(), ...cases]) {
        const answer = await ask(url(), path, headers);
        expect([what, answer.status, answererOf(path, answer)]).toEqual([what, status, answerer]);
        expect([what, answer.headers['api-version']]).toEqual([what, answerer === 'version 2' ? '2' : '1']);
        expect([what, answer.headers.vary]).toEqual([
          what,
          expect.stringMatching(/^API-Version, Accept(?:,|$)/),
        ]);
        const known = first.get(what);
        if (known && path !== '/status.json') expect([what, lasting(answer)]).toEqual([what, known]);
        first.set(what, lasting(answer));
      }
    },
  );

  it('keeps the answers of each version apart, and both are ready', async () => {
    const { api } = served;
    const path = '/api/delegates?limit=2';
    for (const headers of [{}, HEADER_2]) await ask(api.url, path, headers);
    const ready = () => readMetric(api, 'roundhouse_answers_ready_total');
    const before = await ready();
    expect('data' in bodyOf(await ask(api.url, path, HEADER_2))).toBe(true);
    expect('data' in bodyOf(await ask(api.url, path))).toBe(false);
    expect('data' in bodyOf(await ask(api.url, path, acceptOf(2)))).toBe(true);
    expect(await ready()).toBe(before + 3);
  });

  it('without a version, answers are those of version 1 of the contract, byte for byte', async () => {
    for (const path of [
      PATH,
      '/api/blocks/getStatus',
      '/api/nothing',
      '/api/blocks?limit=x',
      '/api/wallets',
    ]) {
      await ask(served.api.url, path, HEADER_2);
      const [bare, named] = [await ask(served.api.url, path), await ask(served.api.url, path, HEADER_1)];
      expect(lasting(bare)).toEqual(lasting(named));
      expect(bare.headers).not.toHaveProperty('x-block-height');
    }
  });

  it.each([
    ['API-Version', HEADER_3, 'header API-Version'],
    ['Accept', acceptOf(3), 'version in Accept'],
  ] as const)('says which versions there are if %s asks for another', async (_, headers, place) => {
    expect(bodyOf(await ask(served.api.url, PATH, headers))).toEqual({
      success: false,
      error: `The ${place} must be 1 or 2, the supported versions, or absent.`,
    });
    const elsewhere = bodyOf(await ask(served.api.url, '/events', HEADER_3));
    expect(elsewhere['error']).toBe('The header API-Version must be 1, the supported version, or absent.');
  });

  describe.each([
    ['by prefix', () => served.api.url, '/api/v2', {}],
    ['by header', () => served.api.url, '/api', HEADER_2],
    ['by Accept', () => served.api.url, '/api', acceptOf(2)],
    ['on its port', () => served.api.coreV2Url!, '/api', {}],
    ["on version 1's port", () => served.api.coreV1Url!, '/api', HEADER_2],
  ] as const)('version 2 %s', (_, url, prefix, headers) => {
    const send = (path: string, method = 'GET', more: Sent = {}) =>
      ask(url(), prefix + path, { ...headers, ...more }, method);

    it('answers HEAD as GET', async () => {
      for (const path of ['/delegates?limit=1', '/delegates?limit=0', '/nothing']) {
        const [got, head] = [await send(path), await send(path, 'HEAD')];
        expect(lasting(head)).toEqual({ ...lasting(got), body: '' });
      }
    });

    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'])('answers %s as an unknown path', async (method) => {
      const answer = await send('/delegates', method);
      expect([answer.status, bodyOf(answer)]).toEqual([
        404,
        { statusCode: 404, error: 'Not Found', message: 'Not Found' },
      ]);
    });

    it('permits what programs send to nodes, also from pages of others', async () => {
      // A browser says only which headers it would send, not their values.
      const asked = {
        Origin: 'https://wallet.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'api-version,content-type',
      };
      const isNamed = !('API-Version' in headers) || url() === served.api.coreV1Url;
      for (const path of ['/wallets', '/delegates', '/node/configuration']) {
        const answer = await ask(url(), prefix + path, isNamed ? { ...headers, ...asked } : asked, 'OPTIONS');
        expect([path, answer.status, answer.headers['access-control-allow-origin']]).toEqual([
          path,
          204,
          '*',
        ]);
        expect(answer.headers['access-control-allow-headers']).toMatch(/API-Version/i);
        expect(answer.headers['access-control-allow-headers']).toMatch(/Content-Type/i);
      }
    });

    it('lets nobody keep the refusal of a range that an answer has not', async () => {
      const { status, headers: received } = await send('/delegates?limit=1', 'GET', { Range: 'bytes=-0' });
      expect([status, received['cache-control'], received.etag]).toEqual([416, 'no-store', undefined]);
    });

    it('says where to post transactions', async () => {
      const { status, headers: received, bytes } = await send('/transactions', 'POST');
      expect([status, received['api-version']]).toEqual([422, '2']);
      expect(JSON.parse(bytes.toString())).toMatchObject({
        statusCode: 422,
        message: expect.stringContaining('Post the transaction to a node'),
      });
    });

    it('names the height, and a tag that holds for this version alone', async () => {
      const { headers: received } = await send('/delegates?limit=1');
      expect(received).toMatchObject({ 'x-block-height': String(HEAD_HEIGHT), 'api-version': '2' });
      const tag = { 'If-None-Match': received.etag! };
      expect((await send('/delegates?limit=1', 'GET', tag)).status).toBe(304);
      expect((await ask(served.api.url, PATH, tag)).status).toBe(200);
    });
  });

  it('a preflight that names no version gets the contract, whose paths it then asks about', async () => {
    const asked = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' };
    const named = { ...asked, 'Access-Control-Request-Headers': 'x-request-id' };
    for (const headers of [asked, named])
      expect((await ask(served.api.url, '/api/wallets', headers, 'OPTIONS')).status).toBe(404);
    const outside = { ...asked, 'Access-Control-Request-Headers': 'api-version' };
    expect((await ask(served.api.url, '/nothing', outside, 'OPTIONS')).status).toBe(404);
  });

  it('what no route sees is refused by the way that it took', async () => {
    const limited = await startApi(served.databaseUrl, { RATE_LIMIT: '1', CORE_V2_PORT: '0' });
    try {
      await plainRequest(limited.url);
      for (const [path, headers, keys] of [
        [PATH, {}, 'success,error'],
        [PATH, HEADER_2, 'statusCode,error,message'],
        [IN_V2, {}, 'statusCode,error,message'],
      ] as const) {
        const answer = await plainRequest(limited.url, headers, 'GET', path);
        expect([answer.status, Object.keys(bodyOf(answer)).join()]).toEqual([429, keys]);
        expect(answer.headers['api-version']).toBe(keys.startsWith('success') ? '1' : '2');
      }
      const unreadable = await rawRequest(limited.coreV2Url!, 'FOO /api/blocks HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(unreadable).toMatch(/^HTTP\/1\.1 400 [^]*\r\napi-version: 2\r\n[^]*\r\n\r\n$/);
    } finally {
      await limited.close();
    }
  });

  it('before the first block, each version says so in its own shape', async () => {
    const database = await createTestDatabase();
    const api = await startApi(database.url);
    try {
      for (const [headers, keys, version] of [
        [{}, 'success,error', '1'],
        [HEADER_2, 'statusCode,error,message', '2'],
      ] as const) {
        const answer = await plainRequest(api.url, headers, 'GET', PATH);
        expect([answer.status, Object.keys(bodyOf(answer)).join()]).toEqual([503, keys]);
        expect(answer.headers['api-version']).toBe(version);
      }
    } finally {
      await api.close();
      await database.drop();
    }
  });

  it('an index that an earlier version began answers what it has, and names the command for the rest', async () => {
    await served.database.query('UPDATE head SET has_details = false');
    const api = await startApi(served.databaseUrl);
    try {
      expect((await ask(api.url, '/api/v2/blocks?limit=1')).status).toBe(200);
      for (const path of ['/wallets?limit=1', '/entities', '/rounds/2/delegates', '/node/fees?days=2']) {
        const answer = await plainRequest(api.url, {}, 'GET', `/api/v2${path}`);
        expect([path, answer.status, answer.headers['api-version']]).toEqual([path, 503, '2']);
        expect(bodyOf(answer)['message']).toMatch(/indexer rebuild/);
      }
    } finally {
      await served.database.query('UPDATE head SET has_details = true');
      await api.close();
    }
  });
});
