import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ServedIndex } from './served-index.js';

// The index is made first.
jest.setTimeout(60_000);

const KEY = '03287bfebba4c7881a0509717e71b34b63f31e40021c321f89ae04f84be6d6ac37';
const UNKNOWN_KEY = `02${'ab'.repeat(32)}`;

/** Each endpoint with good inputs, and the fields of its answer by name. */
const GOOD: readonly [path: string, keys: readonly string[]][] = [
  ['/api/signatures/fee', ['fee', 'success']],
  ['/api/loader/autoconfigure', ['network', 'success']],
  ['/api/loader/status', ['blocksCount', 'loaded', 'now', 'success']],
  ['/api/loader/status/sync', ['blocks', 'height', 'id', 'success', 'syncing']],
  ['/api/blocks', ['blocks', 'success']],
  ['/api/blocks/?limit=1&offset=321', ['blocks', 'success']],
  ['/API/Blocks/Get?id=17184958558311101492&cacheBuster=1', ['block', 'success']],
  ['/api/blocks/getFees', []],
  ['/api/blocks/getFee', ['fee', 'success']],
  ['/api/blocks/getEpoch', ['epoch', 'success']],
  ['/api/blocks/getHeight', ['height', 'id', 'success']],
  ['/api/blocks/getMilestone', ['milestone', 'success']],
  ['/api/blocks/getNethash', ['nethash', 'success']],
  ['/api/blocks/getReward', ['reward', 'success']],
  [
    '/api/blocks/getStatus',
    ['epoch', 'fee', 'height', 'milestone', 'nethash', 'reward', 'success', 'supply'],
  ],
  ['/api/blocks/getSupply', ['success', 'supply']],
  ['/api/delegates?orderBy=4:desc&limit=007', ['delegates', 'success']],
  [`/api/delegates/voters?publicKey=${KEY.toUpperCase()}`, ['accounts', 'success']],
  [`/api/delegates/get?publicKey=${KEY}&username=genesis_2`, ['delegates', 'success']],
  ['/api/delegates/fee', ['delegate', 'fee', 'success']],
  ['/api/delegates/count', ['count', 'success']],
  [
    `/api/delegates/forging/getForgedByAccount?generatorPublicKey=${KEY}`,
    ['fees', 'forged', 'rewards', 'success'],
  ],
  ['/api/delegates/search?q=1', ['delegates', 'success']],
  ['/api/delegates/getNextForgers?limit=51', ['currentBlock', 'currentSlot', 'delegates', 'success']],
];

const BAD: readonly [path: string, status: number, error: RegExp][] = [
  ...['/api/blocks', '/api/delegates', '/api/delegates/search', '/api/delegates/getNextForgers'].flatMap(
    (path): [string, number, RegExp][] => {
      const query = path.endsWith('search') ? '?q=a&' : '?';
      return [
        ...['abc', '-1', '1.5', '1e3', '', '0', '9999999999999999'].map((limit): [string, number, RegExp] => [
          `${path}${query}limit=${limit}`,
          400,
          /limit/,
        ]),
        [`${path}${query}limit=1&limit=1`, 400, /limit/],
        [`${path}${query}limit=101`, 400, /100|51/],
      ];
    },
  ),
  ['/api/blocks?offset=x', 400, /offset/],
  ['/api/blocks/get', 400, /id/],
  ['/api/blocks/get?id=', 400, /id/],
  ['/api/blocks/get?id=abc', 400, /id/],
  ['/api/blocks/get?id=18446744073709551616', 400, /id/],
  ['/api/blocks/get?id=18446744073709551615', 404, /./],
  ['/api/delegates?orderBy=', 400, /rank/],
  ['/api/delegates?orderBy=bogus:desc', 400, /rank/],
  ['/api/delegates?orderBy=rank:sideways', 400, /asc/],
  ['/api/delegates?orderBy=5', 400, /./],
  ['/api/delegates/voters', 400, /publicKey/],
  ['/api/delegates/voters?publicKey=04ab', 400, /publicKey/],
  [`/api/delegates/voters?publicKey=${UNKNOWN_KEY}`, 404, /./],
  ['/api/delegates/get', 400, /publicKey|username/],
  ['/api/delegates/get?username=longer_than_twenty_chars', 400, /username/],
  [`/api/delegates/get?publicKey=zz&username=genesis_1`, 400, /publicKey/],
  ['/api/delegates/get?username=nobody', 404, /./],
  ['/api/delegates/forging/getForgedByAccount', 400, /generatorPublicKey/],
  [`/api/delegates/forging/getForgedByAccount?generatorPublicKey=${UNKNOWN_KEY}`, 404, /./],
  ['/api/delegates/search', 400, /q/],
  ['/api/delegates/search?q=', 400, /q/],
  ['/api/delegates/search?q=longer_than_twenty_chars', 400, /q/],
  ['/api/delegates/search?q=%00', 400, /./],
  ['/api/delegates/search?q=%zz', 400, /./],
  ['/api/nothing', 404, /./],
];

describe('the contract over an indexed chain', () => {
  let served: ServedIndex;
  beforeAll(async () => {
    // Odd and beyond 2^53: a double would lose the last digit.
    served = await ServedIndex.open('core-3.9', async (client) => {
      await client.query('UPDATE head SET supply = 9223372036854775807');
      await client.query('UPDATE accounts SET balance = 9007199254740993 WHERE vote = $1', [KEY]);
    });
  });
  afterAll(() => served.close());

  it.each(GOOD)('%s has exactly its fields', async (path, keys) => {
    const { status, body } = await served.request(path);
    expect(status).toBe(200);
    expect(Object.keys(JSON.parse(body) as object).sort()).toEqual(keys);
  });

  it.each(BAD)('%s is %i with one plain sentence', async (path, status, error) => {
    const answer = await served.request(path);
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.body) as { success: boolean; error: string };
    expect(Object.keys(body).sort()).toEqual(['error', 'success']);
    expect(body.success).toBe(false);
    expect(body.error).toMatch(error);
  });

  it('writes amounts beyond 2^53 with all their digits', async () => {
    expect((await served.request('/api/blocks/getSupply')).body).toContain('"supply":9223372036854775807');
    expect((await served.request(`/api/delegates/voters?publicKey=${KEY}`)).body).toContain(
      '"balance":9007199254740993',
    );
  });

  it('another method is 405 with Allow, another version 400 that names the supported one', async () => {
    const post = await served.request('/api/blocks', { method: 'POST', body: '{' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
    const version = await served.request('/api/blocks', { headers: { 'API-Version': '2' } });
    expect(version.status).toBe(400);
    expect(version.body).toMatch(/\b1\b/);
  });
});
