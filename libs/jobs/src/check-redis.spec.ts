import { checkRedis, evictionWarning } from './check-redis.js';

describe('the check of Redis', () => {
  it('warns of a Redis that may drop keys, naming the policy, and accepts noeviction', () => {
    const warning = (policy: string) =>
      evictionWarning(`redis_version:7.0.15\r\nmaxmemory_policy:${policy}\r\n`);
    expect(warning('allkeys-lru')).toContain('allkeys-lru');
    expect(warning('noeviction')).toBeNull();
  });

  it('says what to do when Redis cannot be reached', async () => {
    await expect(checkRedis('redis://127.0.0.1:1')).rejects.toThrow(
      /REDIS_URL cannot be reached .*ECONNREFUSED/,
    );
  });
});
