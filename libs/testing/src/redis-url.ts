/** Of the throw-away Redis of this test run, or null where there is no `redis-server` on the PATH. */
export const redisUrl = (): string | null => process.env['TEST_REDIS_URL'] ?? null;
