import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BAD_CASES, goodCases } from '@roundhouse/testing';
import { ServedIndex } from './served-index.js';

const KEY = '03287bfebba4c7881a0509717e71b34b63f31e40021c321f89ae04f84be6d6ac37';
const SUBJECT = { publicKey: KEY, username: 'genesis_2', blockId: '17184958558311101492', height: 322 };

describe('the contract over an indexed chain', () => {
  let served: ServedIndex;
  beforeAll(async () => {
    // Odd and beyond 2^53: a double would lose the last digit.
    served = await ServedIndex.open('core-3.9', async (client) => {
      await client.query('UPDATE head SET supply = 9223372036854775807');
      await client.query('UPDATE accounts SET balance = 9007199254740993 WHERE vote = $1', [
        Buffer.from(KEY, 'hex'),
      ]);
    });
  });
  afterAll(() => served.close());

  it.each(goodCases(SUBJECT))('%s has exactly its fields', async (path, keys) => {
    const { status, body } = await served.request(path);
    expect(status).toBe(200);
    expect(Object.keys(JSON.parse(body) as object).sort()).toEqual(keys);
  });

  it.each(BAD_CASES)('%s is %i with one plain sentence', async (path, status, error) => {
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
    const version = await served.request('/api/blocks', { headers: { 'API-Version': '3' } });
    expect(version.status).toBe(400);
    expect(version.body).toMatch(/\b1\b/);
  });
});
