import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiSettings, RunningApi } from '@roundhouse/api';
import { startApi } from './support/api-under-test.js';
import { readMetric } from './support/metrics.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

describe('RATE_LIMIT', () => {
  let served: ServedChain;
  let api: RunningApi | undefined;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());
  afterEach(async () => {
    await api?.close();
    api = undefined;
  });

  const start = async (settings: Partial<Record<keyof ApiSettings, string>>): Promise<RunningApi> =>
    (api = await startApi(served.databaseUrl, settings));

  const statusOf = async (
    { url }: RunningApi,
    path: string,
    forwarded: string | null = null,
  ): Promise<number> => {
    const headers: Record<string, string> = forwarded === null ? {} : { 'X-Forwarded-For': forwarded };
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    return response.status;
  };

  it('counts cached answers, failures and unknown paths, and then says when to try again', async () => {
    const limited = await start({ RATE_LIMIT: '4' });
    const statuses: number[] = [];
    for (const path of [
      '/api/blocks',
      '/api/blocks',
      '/api/blocks?limit=x',
      '/nothing',
      '/api/blocks',
      '/api/blocks',
    ])
      statuses.push(await statusOf(limited, path));
    expect(statuses).toEqual([200, 200, 400, 404, 429, 429]);
    const refused = await fetch(`${limited.url}/api/blocks`);
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

  /** What is not an address, so that the connected one counts. */
  const NO_ADDRESSES = ['unknown', '_hidden', 'x'.repeat(9000), '999.1.1.1', '1.2.3', ',', ' ', '::1::', '['];

  /** The values of X-Forwarded-For; those of a list are one client. */
  it.each<[string, (string | null)[][]]>([
    ['0', [[null, '203.0.113.7', '10.0.0.2']]],
    ['', [[null, '203.0.113.7']]],
    ['false', [[null, '203.0.113.7']]],
    [
      '1',
      [
        ['203.0.113.7', '10.9.9.9, 203.0.113.7', '127.0.0.1, 127.0.0.1, 203.0.113.7'],
        ['10.0.0.2', '10.0.0.2:5501', '::ffff:10.0.0.2'],
        ['2001:db8:1:2:3:4:5:6', '[2001:DB8:1:2::9]:443'],
        ['2001:db8:1:3::6'],
        ['fe80::1%eth0', 'fe80::2'],
        [null, ...NO_ADDRESSES],
      ],
    ],
    ['2', [['203.0.113.7', '10.9.9.9, 203.0.113.7, 192.0.2.1', '10.9.9.8,203.0.113.7,192.0.2.1']]],
    [
      '127.0.0.1',
      [['203.0.113.7', '10.0.0.1, 203.0.113.7', '127.0.0.1,127.0.0.1, 203.0.113.7'], ['203.0.113.8']],
    ],
    ['127.0.0.0/8', [['203.0.113.7', '10.9.9.9, 203.0.113.7, 127.0.0.2']]],
    ['10.0.0.0/8, ::1, loopback', [['203.0.113.7', '10.9.9.9, 203.0.113.7, 10.0.0.1']]],
    ['192.0.2.9', [[null, '203.0.113.7', '203.0.113.8']]],
  ])('counts by the address that the outermost proxy of TRUST_PROXY=%s saw', async (TRUST_PROXY, clients) => {
    const limited = await start({ RATE_LIMIT: '1', TRUST_PROXY });
    for (const chains of clients) {
      const statuses: number[] = [];
      for (const chain of chains) statuses.push(await statusOf(limited, '/api/blocks', chain));
      expect([chains, statuses]).toEqual([chains, chains.map((_, index) => (index === 0 ? 200 : 429))]);
    }
  });

  it('counts unknown paths of version 2 on the main port, too', async () => {
    const limited = await start({ RATE_LIMIT: '2' });
    const statuses: number[] = [];
    for (const path of ['/api/v2/x', '/api/v2/x', '/api/v2/x', '/api/v2/blockchain'])
      statuses.push(await statusOf(limited, path));
    expect(statuses).toEqual([404, 404, 429, 429]);
  });

  it('still sends ready answers', async () => {
    const limited = await start({ RATE_LIMIT: '100' });
    for (let turn = 0; turn < 4; turn += 1)
      expect(await statusOf(limited, '/api/blocks/getMilestone')).toBe(200);
    expect(await readMetric(limited, 'roundhouse_answers_ready_total')).toBe(3);
  });
});
