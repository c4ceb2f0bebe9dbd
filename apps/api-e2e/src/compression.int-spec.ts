import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readMetric } from './support/metrics.js';
import { publicKey } from './support/hand-made-chain.js';
import { decodedBytes, plainRequest, type PlainAnswer } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const LARGE = '/api/blocks';
const SMALL = '/api/blocks/getHeight';

const CODINGS = ['br', 'gzip'] as const;

const decode = (answer: PlainAnswer): string => decodedBytes(answer).toString();

describe('compressed forms', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  const get = (path: string, acceptEncoding?: string, more: Record<string, string> = {}, method = 'GET') =>
    plainRequest(
      served.api.url + path,
      { ...(acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding }), ...more },
      method,
    );

  it.each([
    LARGE,
    '/api/blocks?limit=30&offset=7',
    '/api/delegates',
    `/api/delegates/voters?publicKey=${publicKey(1)}`,
    '/api/delegates/search?q=e',
    '/status.json',
  ])('hold the bytes of the plain form: %s', async (path) => {
    const plain = await get(path, 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const coding of CODINGS) {
      // The first is made for the request, the second was kept.
      for (const attempt of ['made', 'kept']) {
        const compressed = await get(path, coding);
        const { headers, bytes } = compressed;
        expect([attempt, compressed.status, decode(compressed)]).toEqual([attempt, 200, decode(plain)]);
        const isLarge = plain.bytes.length >= 1024;
        expect(headers['content-encoding']).toBe(isLarge ? coding : undefined);
        expect(headers['content-length']).toBe(String(bytes.length));
        expect(bytes.length).toBeLessThanOrEqual(plain.bytes.length);
      }
    }
  });

  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR', 'br'],
    ['br;q=0.001', 'br'],
    ['gzip;q=1, br;q=0.9', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['br;q=0.1, *;q=0', 'br'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0.5, identity;q=0.9', undefined],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0', undefined],
    ['identity;q=0, deflate', undefined],
    ['*;q=0', undefined],
    ['deflate, zstd', undefined],
    ['gzip;q=x', undefined],
    ['nonsense;;q=', undefined],
    [`${'zstd, '.repeat(100)}gzip`, 'gzip'],
  ])('Accept-Encoding "%s" gets %s', async (acceptEncoding, coding) => {
    const answer = await get(LARGE, acceptEncoding);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, coding]);
    expect(decode(answer)).toMatch(/^{"blocks":\[.*\],"success":true}$/);
  });

  it('a small answer is sent plain, except to a client that accepts only compressed forms', async () => {
    expect((await get(SMALL, 'br, gzip')).headers['content-encoding']).toBeUndefined();
    const only = await get(SMALL, 'gzip, identity;q=0');
    expect(only.headers['content-encoding']).toBe('gzip');
    expect(decode(only)).toBe(decode(await get(SMALL)));
  });

  it('every form tells caches what the answer depends on', async () => {
    const forms = [
      await get(LARGE),
      await get(LARGE, 'br'),
      await get(SMALL, 'br'),
      await get(LARGE, 'br', {}, 'HEAD'),
      await get(LARGE, 'gzip', { 'If-None-Match': '*' }),
    ];
    expect(forms.map(({ status, headers }) => [status, headers.vary])).toEqual([
      [200, 'API-Version, Accept, Accept-Encoding'],
      [200, 'API-Version, Accept, Accept-Encoding'],
      [200, 'API-Version, Accept, Accept-Encoding'],
      [200, 'API-Version, Accept, Accept-Encoding'],
      [304, 'API-Version, Accept, Accept-Encoding'],
    ]);
  });

  it('each form has its own tag, and only that one gets 304', async () => {
    const tags = new Map<string, string>();
    for (const coding of ['identity', ...CODINGS]) tags.set(coding, (await get(LARGE, coding)).headers.etag!);
    expect(new Set(tags.values()).size).toBe(3);
    for (const [coding, own] of tags) {
      for (const tag of tags.values()) {
        const { status, headers, bytes } = await get(LARGE, coding, { 'If-None-Match': `"x", W/${tag}` });
        expect([coding, tag, status, headers.etag]).toEqual([coding, tag, tag === own ? 304 : 200, own]);
        if (status === 304) expect([bytes.length, headers['content-encoding']]).toEqual([0, undefined]);
      }
      const all = [...tags.values()].join(', ');
      expect((await get(LARGE, coding, { 'If-None-Match': all })).headers.etag).toBe(own);
    }
  });

  it.each(['br', 'gzip', 'identity'])(
    'HEAD has the headers of GET in %s, also when it comes first',
    async (coding) => {
      const path = `/api/blocks?limit=40&offset=${coding.length}`;
      const head = await get(path, coding, { 'X-Request-Id': 'one' }, 'HEAD');
      const { headers } = await get(path, coding, { 'X-Request-Id': 'one' });
      expect([head.status, head.bytes.length, { ...head.headers, date: '' }]).toEqual([
        200,
        0,
        { ...headers, date: '' },
      ]);
    },
  );

  it('errors are sent without a coding', async () => {
    const { status, headers, bytes } = await get('/api/blocks?limit=x', 'br, identity;q=0');
    expect([status, headers['content-encoding'], headers.vary]).toEqual([
      400,
      undefined,
      'API-Version, Accept',
    ]);
    expect(JSON.parse(bytes.toString())).toMatchObject({ success: false });
  });

  it('are made once from one answer, however many requests come at the same time', async () => {
    const path = '/api/blocks?limit=99';
    const before = await readMetric(served.api, 'roundhouse_answers_made_total');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => get(path, ['br', 'gzip', 'identity'][n % 3])),
    );
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
    expect(new Set(answers.map(decode)).size).toBe(1);
    expect(await readMetric(served.api, 'roundhouse_answers_made_total')).toBe(before + 1);
  });
});

describe('CACHE_MAX_BYTES', () => {
  it('bounds plain and compressed forms together', async () => {
    const most = 800_000;
    const served = await serveChain({ settings: { CACHE_MAX_BYTES: String(most) } });
    const sizes: number[] = [];
    for (let limit = 60; limit < 100; limit += 1) {
      for (const coding of CODINGS) {
        const path = `/api/blocks?limit=${limit}`;
        await plainRequest(served.api.url + path, { 'Accept-Encoding': coding });
        sizes.push(await readMetric(served.api, 'roundhouse_cache_bytes'));
      }
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
    expect(Math.max(...sizes)).toBeGreaterThan(most / 2);
    await served.stop();
  });
});
