import { afterEach, describe, expect, it } from '@jest/globals';
import { redisUrl } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { readMetric } from './support/metrics.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

describe('RATE_LIMIT', () => {
  let served: ServedChain | undefined;
  afterEach(() => served?.stop());

  const statuses = async (
    paths: readonly string[],
    headers: Record<string, string> = {},
  ): Promise<number[]> => {
    const result: number[] = [];
    for (const path of paths) {
      const response = await fetch(`${served!.api.url}${path}`, { headers });
      await response.arrayBuffer();
      result.push(response.status);
    }
    return result;
  };

  it('counts cached answers, failures and unknown paths, and then says when to try again', async () => {
    served = await serveChain({ settings: { RATE_LIMIT: '4' } });
    const paths = [
      '/api/blocks',
      '/api/blocks',
      '/api/blocks?limit=x',
      '/nothing',
      '/api/blocks',
      '/api/blocks',
    ];
    expect(await statuses(paths)).toEqual([200, 200, 400, 404, 429, 429]);
    const refused = await fetch(`${served.api.url}/api/blocks`);
    expect(await refused.json()).toEqual({
      success: false,
      error: expect.stringMatching(/^Too many requests/),
    });
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(refused.headers.get('api-version')).toBe('1');
    expect(refused.headers.get('x-chain-height')).toBe('130');
    expect(refused.headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
  });

  it('ignores X-Forwarded-For by default', async () => {
    served = await serveChain({ settings: { RATE_LIMIT: '1' } });
    expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.1' })).toEqual([200]);
    expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.2' })).toEqual([429]);
  });

  it.each(['1', '127.0.0.1'])('counts by forwarded address if TRUST_PROXY is %s', async (TRUST_PROXY) => {
    served = await serveChain({ settings: { RATE_LIMIT: '1', TRUST_PROXY } });
    expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.1' })).toEqual([200]);
    expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.2' })).toEqual([200]);
    expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.2' })).toEqual([429]);
  });

  it.each([
    ['1', ['10.0.0.1, 203.0.113.7', '10.0.0.2, 203.0.113.7', '127.0.0.1, 203.0.113.7']],
    ['2', ['10.0.0.1, 203.0.113.7, 192.0.2.1', '10.0.0.2, 203.0.113.7, 192.0.2.1']],
    ['127.0.0.1', ['10.0.0.1, 203.0.113.7', '127.0.0.1, 203.0.113.7', '127.0.0.1,127.0.0.1, 203.0.113.7']],
    ['0', ['10.0.0.1', '10.0.0.2']],
  ])(
    'keeps a client behind TRUST_PROXY=%s from passing itself off as another',
    async (TRUST_PROXY, chains) => {
      served = await serveChain({ settings: { RATE_LIMIT: '1', TRUST_PROXY } });
      const answers: number[] = [];
      for (const chain of chains) {
        answers.push(...(await statuses(['/api/blocks'], { 'X-Forwarded-For': chain })));
      }
      expect(answers).toEqual([200, ...chains.slice(1).map(() => 429)]);
    },
  );

  it('still sends ready answers', async () => {
    served = await serveChain({ settings: { RATE_LIMIT: '100' } });
    const path = '/api/blocks/getMilestone';
    expect(await statuses([path, path, path, path])).toEqual([200, 200, 200, 200]);
    expect(await readMetric(served.api, 'roundhouse_answers_ready_total')).toBe(3);
  });

  const itWithRedis = redisUrl() === null ? it.skip : it;

  itWithRedis('is shared by all apis that share a Redis', async () => {
    // A random client: the whole test run shares the Redis.
    const client = `198.51.100.${Math.floor(Math.random() * 256)}`;
    const settings = { RATE_LIMIT: '5', TRUST_PROXY: '1', REDIS_URL: redisUrl()! };
    served = await serveChain({ settings });
    const other = await startApi(served.databaseUrl, settings);
    const ask = async (url: string): Promise<number> => {
      const response = await fetch(`${url}/api/blocks`, { headers: { 'X-Forwarded-For': client } });
      await response.arrayBuffer();
      return response.status;
    };
    const answers: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      answers.push(await ask(served.api.url), await ask(other.url));
    }
    await other.close();
    expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });
});
