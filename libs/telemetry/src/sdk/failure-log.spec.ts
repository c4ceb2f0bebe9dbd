import { expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import { failureLog } from './failure-log.js';

it('logs the first failure at once, then every five minutes with a count', () => {
  const said: unknown[] = [];
  let now = 0;
  const fail = failureLog({ warn: (fields: unknown) => said.push(fields) } as unknown as Logger, () => now);
  fail('refused');
  for (; now < 299_000; now += 1_000) fail('refused');
  expect(said).toEqual([{ reason: 'refused', failures: 1 }]);
  now = 300_000;
  fail('timeout');
  expect(said).toHaveLength(2);
  expect(said[1]).toEqual({ reason: 'timeout', failures: 300 });
});
