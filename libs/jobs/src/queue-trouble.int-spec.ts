import { describe, expect, it } from '@jest/globals';
import { redisUrl } from '@roundhouse/testing';
import { Redis } from 'ioredis';
import { isQueueTrouble } from './queue-trouble.js';

// Skipped if redis-server is not installed.
const describeWithRedis = redisUrl() === null ? describe.skip : describe;

const failureOf = (answer: Promise<unknown>): Promise<Error> =>
  answer.then(
    () => new Error('It did not fail.'),
    (error: unknown) => error as Error,
  );

describeWithRedis('isQueueTrouble', () => {
  it('accepts a refusal by Redis or a lost connection, and nothing else', async () => {
    const redis = new Redis(redisUrl()!);
    expect(isQueueTrouble(await failureOf(redis.call('NO-SUCH-COMMAND')))).toBe(true);
    redis.disconnect();
    expect(isQueueTrouble(await failureOf(redis.ping()))).toBe(true);
    expect(isQueueTrouble(new Error('The ledger is wrong.'))).toBe(false);
  });
});
