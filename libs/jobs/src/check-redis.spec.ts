import { checkRedis, evictionWarning } from './check-redis.js';

describe('the check of Redis', () => {
  it('warns of a Redis that may drop keys, naming the policy', () => {
    expect(evictionWarning('redis_version:7.0.15\r\nmaxmemory_policy:allkeys-lru\r\n')).toContain(
      'allkeys-lru',
    );
  });

  it('accepts noeviction', () => {
    expect(evictionWarning('redis_version:7.0.15\r\nmaxmemory_policy:noeviction\r\n')).toBeNull();
  });

  it('says what to do when Redis cannot be reached', async () => {
    await expect(checkRedis('redis://127.0.0.1:1')).rejects.toThrow(
      /REDIS_URL cannot be reached .*ECONNREFUSED/,
    );
  });
});
