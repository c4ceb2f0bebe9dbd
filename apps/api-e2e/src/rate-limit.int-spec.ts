import { afterEach, describe, expect, it } from '@jest/globals';
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

  it('counts what is answered from the cache, what fails and what is unknown, and then says when to come back', async () => {
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

  it('takes no notice of X-Forwarded-For by default', async () => {
    served = await serveChain({ settings: { RATE_LIMIT: '1' } });
    expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.1' })).toEqual([200]);
    expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.2' })).toEqual([429]);
  });

  it.each(['true', '1', '127.0.0.1'])(
    'counts by forwarded address where TRUST_PROXY is %s',
    async (TRUST_PROXY) => {
      served = await serveChain({ settings: { RATE_LIMIT: '1', TRUST_PROXY } });
      expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.1' })).toEqual([200]);
      expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.2' })).toEqual([200]);
      expect(await statuses(['/api/blocks'], { 'X-Forwarded-For': '10.0.0.2' })).toEqual([429]);
    },
  );
});
