import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getError, getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';
import { startTracedApi, type TracedApi } from './support/traced-api.js';

const SUPPLY = '{"supply":13092005600000001,"success":true}';

let served: ServedChain;
let traced: TracedApi;
let indexedAt: string;
beforeAll(async () => {
  served = await serveChain();
  traced = await startTracedApi(served.databaseUrl);
  const rows = await served.database.query<{ indexed_at: Date }[]>('SELECT indexed_at FROM head');
  indexedAt = rows[0]!.indexed_at.toISOString();
});
afterAll(async () => {
  await traced.stop();
  await served.stop();
});

describe.each(['without tracing', 'with tracing'])('http %s', (tracing) => {
  let url: string;
  beforeAll(() => {
    url = (tracing === 'with tracing' ? traced : served.api).url;
  });

  describe('paths', () => {
    it.each([
      '/api/blocks/getSupply',
      '/api/blocks/getsupply',
      '/API/BLOCKS/GETSUPPLY',
      '/api/blocks/getSupply/',
      '/api/blocks/getSupply/?x=1',
      '/api/blocks/getSupply?',
      '/api/blocks/get%53upply',
      '/api/blocks/getSupply?&&__proto__=1&a=1=2&',
    ])('%s is getSupply', async (path) => {
      expect((await getText(url, path)).text).toBe(SUPPLY);
      // The second time from the kept answer.
      expect((await getText(url, path)).text).toBe(SUPPLY);
    });

    it.each([
      '/api',
      '/api/',
      '/api/block',
      '/api/blocks/getSupplyx',
      '/api/blocks//getSupply',
      '/api/blocks/getSupply//',
      '/api/blocks%2FgetSupply',
      '/api/accounts//transactions',
      '/api/accounts/new/transactions/more',
      '/api/accounts/new%2Ftransactions/x',
      '/api/V1/blocks/getHeight',
      '/api/%761/blocks/getHeight',
      '/health/live',
      '/metrics',
      '/assets',
      '/index.html',
      '/status',
    ])('%s is unknown', async (path) => {
      const { status, body } = await getError(url, path);
      expect([status, body]).toEqual([404, { success: false, error: 'There is nothing at this path.' }]);
    });

    it.each([
      '/api/blocks/%zz',
      '/api/blocks/getSupply?x=%',
      '/api/blocks?limit=%zz',
      '/api/blocks/getSupply?%E0%A4%A=1',
      '/api/blocks/getSupply?x=%ff',
      '/api/blocks/getSupply%00',
      '/api/blocks/getSupply?x=%00',
      '/api/blocks/getSupply?%00',
      '/api/delegates/search?q=a%00',
      '/%',
    ])('%s is malformed', async (path) => {
      const { status, body } = await getError(url, path);
      expect([status, body.success]).toEqual([400, false]);
      expect(body.error).toMatch(/percent-encoding or a NUL/);
    });

    it.each([
      ['/API/Accounts/Genesis%252/?x=1', 'Genesis%2'],
      ['/api/acc%6funts/a%5Cb', 'a\\b'],
      ['/api/accounts/%C3%BCn%C3%AFted', 'ünïted'],
      ['/api/accounts/genesis_1', 'genesis_1'],
    ])('%s names %s, in its own case', async (path, username) => {
      expect(JSON.parse((await getText(url, path)).text)).toMatchObject({
        account: { delegate: { username } },
      });
    });

    it.each(['a%2Fb', '%25', 'a+b', '%F0%9F%98%80', 'NEW'])('no account is named %s', async (name) => {
      expect((await getError(url, `/api/accounts/${name}/transactions`)).body.error).toMatch(/no account/);
    });

    it('a + in a query is a space, and its parts are decoded', async () => {
      const { text } = await getText(url, '/api/delegates/search?&x&%71=g%65n+%26&');
      expect(text).toBe('{"success":true,"delegates":[]}');
      expect((await getText(url, '/api/delegates/search?q=%65w')).text).toContain('"username":"new"');
    });

    it('a URL of 10,000 characters is too long', async () => {
      const { status, body } = await getError(url, `/api/blocks?x=${'a'.repeat(10_000)}`);
      expect([status, body.success]).toEqual([414, false]);
    });

    it('so is one with a segment of 8,200 characters, in the shape of all errors', async () => {
      const { status, headers, body } = await getError(url, `/api/accounts/${'x'.repeat(8_200)}`);
      expect([status, body.success, headers.get('api-version')]).toEqual([414, false, '1']);
    });
  });

  describe('methods', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'])('%s is not allowed', async (method) => {
      const known = await getError(url, '/api/Blocks/', { method });
      expect([known.status, known.body.success, known.headers.get('allow')]).toEqual([
        405,
        false,
        'GET, HEAD, OPTIONS',
      ]);
      expect((await getError(url, '/api/nothing', { method })).status).toBe(404);
    });

    it.each([
      ['application/json', '{"broken'],
      ['text/strange', 'x'],
      ['multipart/form-data', 'x'],
      ['application/json', 'x'.repeat(3_000_000)],
    ])('a POST with a body of %s is not allowed', async (type, body) => {
      const init = { method: 'POST', headers: { 'content-type': type }, body };
      expect((await getError(url, '/api/blocks', init)).status).toBe(405);
      expect((await getError(url, '/api/nothing', init)).status).toBe(404);
      expect((await getError(url, '/docs', init)).status).toBe(405);
    });

    it('HEAD answers like GET, without the body', async () => {
      // The first is made, the second is kept.
      for (const path of [
        '/api/blocks?limit=2',
        '/api/blocks?limit=2',
        '/api/blocks?limit=x',
        '/api/nothing',
      ]) {
        const got = await fetch(`${url}${path}`);
        const head = await fetch(`${url}${path}`, { method: 'HEAD' });
        expect([head.status, await head.text()]).toEqual([got.status, '']);
        for (const name of ['content-length', 'content-type', 'etag', 'x-chain-height', 'cache-control']) {
          expect(head.headers.get(name)).toBe(got.headers.get(name));
        }
      }
    });

    it('OPTIONS answers a preflight', async () => {
      const headers = {
        origin: 'https://wallet.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'api-version',
      };
      const response = await fetch(`${url}/api/blocks`, { method: 'OPTIONS', headers });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-methods')).toContain('GET');
      expect(response.headers.get('access-control-allow-headers')).toMatch(/API-Version.*X-Request-Id/);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    });

    it('OPTIONS without the headers of a preflight gets the same answer; on an unknown path it gets 404', async () => {
      expect((await fetch(`${url}/api/blocks/`, { method: 'OPTIONS' })).status).toBe(204);
      expect((await fetch(`${url}/api/nothing`, { method: 'OPTIONS' })).status).toBe(404);
    });
  });

  describe('API-Version', () => {
    it.each([undefined, '1'])('%s is served', async (version) => {
      const headers: Record<string, string> = version === undefined ? {} : { 'API-Version': version };
      expect((await getText(url, '/api/blocks/getSupply', headers)).text).toBe(SUPPLY);
    });

    it.each(['3', '', '1.0', '01', 'x', '1, 1'])(
      '"%s" is refused, even if the answer is ready',
      async (version) => {
        await getText(url, '/api/blocks/getSupply');
        const { status, body } = await getError(url, '/api/blocks/getSupply', {
          headers: { 'API-Version': version },
        });
        expect([status, body.success]).toEqual([400, false]);
        expect(body.error).toBe('The header API-Version must be 1 or 2, the supported versions, or absent.');
      },
    );

    it.each([
      ['GET', '/api/blocks'],
      ['GET', '/api/blocks/get?id=1'],
      ['GET', '/api/blocks?limit=x'],
      ['GET', '/api/nothing'],
      ['GET', '/%zz'],
      ['POST', '/api/blocks'],
      ['GET', '/status.json'],
      ['HEAD', '/status.json'],
      ['DELETE', '/status.json'],
      ['OPTIONS', '/api/blocks'],
      ['OPTIONS', '/api/nothing'],
      ['HEAD', '/api/blocks'],
      ['HEAD', '/docs'],
      ['GET', '/docs'],
      ['GET', '/docs/json'],
      ['GET', '/docs/swagger-ui.css'],
      ['GET', '/docs/nothing'],
    ])('is named by every response: %s %s', async (method, path) => {
      const response = await fetch(`${url}${path}`, { method });
      await response.arrayBuffer();
      expect(response.headers.get('api-version')).toBe('1');
      expect(response.headers.get('vary')).toMatch(/API-Version/);
      // Every response also names the head and the request.
      expect(response.headers.get('x-chain-height')).toBe('130');
      expect(response.headers.get('x-indexed-at')).toBe(indexedAt);
      expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
    });
  });

  describe('headers', () => {
    it('an answer names its height, may be cached for a second, and may be read from any page', async () => {
      const { headers } = await getText(url, '/api/blocks');
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-chain-height': '130',
        'cache-control': 'public, max-age=1',
        'access-control-allow-origin': '*',
        'x-indexed-at': indexedAt,
        'access-control-expose-headers': expect.stringMatching(/X-Chain-Height.*X-Indexed-At.*X-Request-Id/),
        etag: expect.stringMatching(/^"[\w-]{22}(-gzip)?"$/),
      });
    });

    it('an error may not be cached, and may be read from any page', async () => {
      const { headers } = await getError(url, '/api/blocks?limit=x');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('x-chain-height')).toBe('130');
    });

    it.each([
      ['the tag', (etag: string) => etag],
      ['the tag among others', (etag: string) => `"other", ${etag}`],
      ['the tag, weak', (etag: string) => `W/${etag}`],
      ['any tag', () => '*'],
    ])('what the client already has gets 304: %s', async (_, ifNoneMatch) => {
      const path = `/api/blocks/getHeight?${Math.random()}`;
      const { headers } = await getText(url, '/api/blocks/getHeight');
      const etag = headers.get('etag')!;
      for (const attempt of ['made', 'kept']) {
        const headers = { 'If-None-Match': ifNoneMatch(etag), 'X-Request-Id': 'mine' };
        const again = await getText(url, path, headers);
        expect([attempt, again.status, again.text]).toEqual([attempt, 304, '']);
        expect(Object.fromEntries(again.headers)).toMatchObject({
          etag,
          'x-chain-height': '130',
          'x-indexed-at': indexedAt,
          'x-request-id': 'mine',
        });
        expect(again.headers.get('content-type')).toBeNull();
      }
    });

    it("the request's id is the client's own if that is valid, and a new one otherwise", async () => {
      const idFor = async (path: string, given?: string): Promise<string> => {
        const { headers } = await getText(url, path, given === undefined ? {} : { 'X-Request-Id': given });
        return headers.get('x-request-id')!;
      };
      const ids: string[] = [];
      for (const path of [
        '/api/blocks',
        '/api/blocks',
        '/api/blocks?limit=x',
        '/api/nothing',
        '/docs/json',
      ]) {
        for (const fit of ['Trace.7_a-b', 'x'.repeat(128)]) expect(await idFor(path, fit)).toBe(fit);
        for (const unfit of [undefined, '', 'a b', 'a, b', 'ä', '<b>', 'x'.repeat(129)])
          ids.push(await idFor(path, unfit));
      }
      expect(new Set(ids).size).toBe(35);
      expect(ids.join()).toMatch(/^[\w.,-]*$/);
    });
  });
});
