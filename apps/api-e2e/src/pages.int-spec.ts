import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import { getTextOnce } from './support/requests.js';

const HTML = 'text/html; charset=utf-8';

/** The pages of things are asked for one thing that is known by all its names. */
describe('the pages of a chain', () => {
  const { network, blocks } = randomChain({ seed: 38, blocks: 90 });
  let index: GrowingIndex;
  let api: RunningApi;
  let names: Readonly<
    Record<'block' | 'height' | 'transaction' | 'address' | 'username' | 'publicKey', string>
  >;

  const get = (path: string, init: RequestInit = {}) =>
    getTextOnce(api.url, path, { redirect: 'manual', ...init });

  const json = async <T>(path: string): Promise<T> => JSON.parse((await get(path)).text) as T;

  beforeAll(async () => {
    index = await GrowingIndex.create(network, { keepsHistory: true });
    await index.apply(blocks);
    api = await startApi(index.url);
    type Named = Readonly<Record<string, string>>;
    const { transactions } = await json<{ transactions: Named[] }>('/api/transactions?limit=1');
    const { delegates } = await json<{ delegates: Named[] }>('/api/delegates?limit=1');
    const { id, blockId, height, senderId } = transactions[0]!;
    names = {
      block: blockId!,
      height: String(height),
      transaction: id!,
      address: senderId!,
      username: delegates[0]!['username']!,
      publicKey: delegates[0]!['publicKey']!,
    };
  });

  afterAll(async () => {
    await api.close();
    await index.close();
  });

  const filled = (path: string): string =>
    path.replace(/\{(\w+)\}/g, (_, name: keyof typeof names) => encodeURIComponent(names[name]));

  it.each([
    ['/', 'Newest blocks'],
    ['/blocks', '<h1 id="title" tabindex="-1">Blocks</h1>'],
    ['/blocks?offset=25', 'Newer'],
    ['/blocks/{block}', '{block}'],
    ['/blocks/{height}', 'rel="canonical" href="/blocks/{block}"'],
    ['/transactions', 'href="/transactions/{transaction}"'],
    ['/transactions/{transaction}', '{transaction}'],
    ['/accounts', 'Largest balance first'],
    ['/accounts/{address}', 'href="/transactions/{transaction}"'],
    ['/accounts/{address}', 'action="/api/accounts/{address}/statement"'],
    ['/delegates', '<bdi>{username}</bdi>'],
    ['/delegates?orderBy=username:desc', 'aria-sort="descending"'],
    ['/delegates/{username}', 'Voters'],
    ['/delegates/{publicKey}', 'rel="canonical" href="/delegates/{username}"'],
    ['/rounds', 'Next forgers'],
    ['/statistics', 'Active addresses by day'],
    ['/search', 'The search above finds'],
    ['/search?q=nothing-has-this-name', 'Nothing has this name'],
  ])('%s is a page with a tag, the height and the search', async (path, has) => {
    const { status, headers, text } = await get(filled(path));
    expect([status, headers.get('content-type')]).toEqual([200, HTML]);
    expect(text).toContain(filled(has));
    expect(text).toContain('<form id="find"');
    expect(headers.get('x-chain-height')).toBe('90');
    expect(headers.get('cache-control')).toBe('public, max-age=1');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const known = await get(filled(path), { headers: { 'If-None-Match': headers.get('etag')! } });
    expect([known.status, known.text]).toEqual([304, '']);
    const head = await get(filled(path), { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')]);
  });

  it.each([
    ['/?block={block}', '/blocks/{block}'],
    ['/?block={height}', '/blocks/{height}'],
    ['/?delegate={username}', '/delegates/{username}'],
    ['/?delegate={publicKey}', '/delegates/{publicKey}'],
    ['/?account={address}', '/accounts/{address}'],
    ['/?transaction={transaction}', '/transactions/{transaction}'],
    ['/?q=gen&orderBy=vote', '/search?q=gen'],
    ['/?orderBy=vote&offset=5', '/delegates?orderBy=vote&offset=5'],
  ])('%s has moved to %s for good', async (path, to) => {
    const { status, headers } = await get(filled(path));
    expect([status, headers.get('location')]).toEqual([308, filled(to)]);
  });

  it.each([
    ['{block}', '/blocks/{block}'],
    ['{transaction}', '/transactions/{transaction}'],
    ['{address}', '/accounts/{address}'],
  ])('a search for %s leads to the one that it finds', async (text, to) => {
    const { status, headers } = await get(`/search?q=${filled(text)}`);
    expect([status, headers.get('location')]).toEqual([302, filled(to)]);
  });

  it.each([
    ['{username}', 'href="/delegates/{username}"'],
    ['{height}', 'href="/blocks/{block}"'],
    ['{publicKey}', 'href="/accounts/'],
  ])('a search for %s finds it, whatever else it finds', async (text, link) => {
    const { status, headers, text: page } = await get(`/search?q=${filled(text)}`);
    const shown = status === 302 ? `href="${headers.get('location')}"` : page;
    expect(shown).toContain(filled(link));
  });

  it.each([
    ['/blocks/123', 404, 'There is no block with this id or height.'],
    ['/blocks/nonsense', 404, 'There is nothing at this path.'],
    ['/blocks/1000000', 404, 'There is no block with this id or height.'],
    ['/transactions/nonsense', 404, 'There is no transaction with this id.'],
    ['/accounts/nobody', 404, 'There is no account with this address, public key or username.'],
    ['/delegates/nobody', 404, 'There is no delegate with this username or public key.'],
    ['/nothing', 404, 'There is nothing at this path.'],
    ['/blocks/1/2', 404, 'There is nothing at this path.'],
    ['/transactions?cursor=x', 400, 'The parameter &quot;cursor&quot;'],
  ])('%s is %i, as a page with the search', async (path, expected, sentence) => {
    const { status, headers, text } = await get(path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([status, headers.get('content-type')]).toEqual([expected, HTML]);
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(text).toContain(sentence);
    expect(text).toContain('<form id="find"');
    expect(text).toContain('name="robots" content="noindex"');
  });

  it.each(['/nothing', '/api/nothing'])('%s is JSON for programs', async (path) => {
    const { status, headers } = await get(path, {
      headers: { Accept: path === '/nothing' ? '*/*' : 'text/html' },
    });
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
