/** The URL of this test run's temporary Redis, or null if there is no `redis-server` on the PATH. */
export const redisUrl = (): string | null => process.env['TEST_REDIS_URL'] ?? null;
