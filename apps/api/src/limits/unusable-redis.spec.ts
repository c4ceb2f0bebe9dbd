import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readSettings } from '@roundhouse/config';
import { pino } from 'pino';
import { apiSettings } from '../api.config.js';
import { RateLimit } from './rate-limit.service.js';

describe('a REDIS_URL of the api that cannot be used', () => {
  let limit: RateLimit | undefined;
  afterEach(() => limit?.onApplicationShutdown());

  /** Returns what it says on stderr and in its log. */
  const start = async (RATE_LIMIT: string, REDIS_URL: string): Promise<string[]> => {
    const said: string[] = [];
    const print = jest.spyOn(console, 'error').mockImplementation((line) => void said.push(String(line)));
    const settings = readSettings(apiSettings, {
      DATABASE_URL: 'postgres://nowhere/index',
      RATE_LIMIT,
      REDIS_URL,
    });
    const write = (line: string): void => void said.push((JSON.parse(line) as { msg: string }).msg);
    limit = new RateLimit(settings, pino({}, { write }));
    await limit.onModuleInit();
    print.mockRestore();
    return said;
  };

  it.each([
    // Without a resolver, the code differs.
    [
      'redis://no-such-host.invalid:6379',
      /^REDIS_URL cannot be used \(getaddrinfo (ENOTFOUND|EAI_AGAIN) no-such-host\.invalid\): start Redis or correct the address\. Until then, RATE_LIMIT is counted by each pod alone/,
    ],
    [
      'redis://127.0.0.1:1',
      /^REDIS_URL cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:1\): start Redis or correct/,
    ],
  ])('is told at the start, with what to do: %s', async (url, sentence) => {
    expect(await start('10', url)).toEqual([
      expect.stringMatching(sentence),
      expect.stringMatching(sentence),
    ]);
  });

  it('does not matter without RATE_LIMIT, because nothing uses it', async () => {
    expect(await start('0', 'redis://no-such-host.invalid:6379')).toEqual([]);
  });
});
