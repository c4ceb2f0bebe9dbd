import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOf } from '@roundhouse/entities/tables';
import { eventually } from '@roundhouse/testing';
import * as chain from './support/hand-made-chain.js';
import { moveHead } from './support/move-head.js';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const HTML = 'text/html; charset=utf-8';

describe('the page at / of the hand-made chain', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  const get = (path: string, headers?: Record<string, string>) => getText(served.api.url, path, headers);

  it('is the newest state as HTML, under a policy, with a tag and the height', async () => {
    const { status, headers, text } = await get('/');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(HTML);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/ style=| on[a-z]+=/);
    expect(headers.get('x-chain-height')).toBe('130');
    expect(headers.get('cache-control')).toBe('public, max-age=1');
    expect(text).toContain(`href="/blocks/${chain.blockId(130)}" id="height">130</a>`);
    const known = await get('/', { 'If-None-Match': headers.get('etag')! });
    expect([known.status, known.text]).toEqual([304, '']);
  });

  it('shows every digit of amounts above 2^53, and names as plain text', async () => {
    const { text } = await get(`/delegates/${encodeURIComponent('Genesis%2')}`);
    expect(text).toContain(`<data class="amount" value="${chain.HUGE_BALANCE + 4n}"`);
    expect(text).toContain('<bdi>Genesis%2</bdi>');
  });

  it('finds, sorts and lists as its address says', async () => {
    const { text } = await get('/delegates?q=GEN&orderBy=username:desc');
    const names = [...text.matchAll(/<th scope="row"><a href="[^"]*"><bdi>(.*?)<\/bdi>/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(['genesis_1', 'genesis1', 'Genesis%2']);
    expect(text).toContain('aria-sort="descending"');
  });

  it('names the forger of a block, also if it forges no more, and of the first block none', async () => {
    const forgedBy = async (height: number, number: number, key: string): Promise<void> => {
      await served.database.query('INSERT INTO public_keys (number, height, value) VALUES ($1, 1, $2)', [
        number,
        bytesOf('hex', key),
      ]);
      await served.database.query('UPDATE blocks SET generator = $1 WHERE height = $2', [number, height]);
    };
    await forgedBy(50, 50, chain.publicKey(7));
    await forgedBy(1, 51, chain.publicKey(99));
    const forgerOf = async (height: number): Promise<string> => {
      const { text } = await get(`/blocks/${chain.blockId(height)}`);
      return /<dt>Forger<\/dt>\s*<dd class="value">\s*<\w+ [^>]*>(?:<bdi>)?([^<]*)</.exec(text)![1]!;
    };
    expect([await forgerOf(130), await forgerOf(50), await forgerOf(1)]).toEqual([
      'a\\b',
      'genesis1',
      `${chain.publicKey(99).slice(0, 8)}…`,
    ]);
  });

  it('serves its scripts at addresses that never change their content, in the requested coding', async () => {
    const { text } = await get('/');
    const addresses = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) {
      const { status, headers } = await get(address, { 'Accept-Encoding': 'br' });
      expect([address, status]).toEqual([address, 200]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-encoding')).toBe('br');
      expect(headers.get('content-type')).toMatch(/^(text\/javascript; charset=utf-8|image\/svg\+xml)$/);
    }
    const unknown = await get(addresses[0]!.replace(/[^/]+$/, 'other.js'));
    expect([unknown.status, unknown.text]).toEqual([
      404,
      '{"success":false,"error":"There is nothing at this path."}',
    ]);
  });

  it('follows the head', async () => {
    await moveHead(served.database, 131, '13100', true);
    await eventually('the page is of the new head', async () =>
      (await get('/')).text.includes('href="/blocks/13100" id="height">131</a>'),
    );
  });
});
