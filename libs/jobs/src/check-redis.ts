import { redisAdvice, tlsReason } from '@roundhouse/config';
import { openRedis } from './open-redis.js';

/** Redis cannot hold the queues. The message says what to do and contains no credentials. */
export class RedisUnusableError extends Error {
  readonly code = 'REDIS_UNUSABLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RedisUnusableError';
  }
}

const CONNECT_TIMEOUT_MS = 5_000;

const valueOf = (report: string, key: string): string | undefined =>
  new RegExp(`^${key}:(.*)$`, 'm').exec(report)?.[1]?.trim();

/** A warning if Redis may drop keys; null if it keeps them. */
export const evictionWarning = (report: string): string | null => {
  const policy = valueOf(report, 'maxmemory_policy');
  if (policy === undefined || policy === 'noeviction') return null;
  return (
    `Redis may drop jobs when its memory is full (maxmemory-policy is ${policy}): ` +
    `set "maxmemory-policy noeviction". Lost jobs are planned again, but this takes time.`
  );
};

// If only one side uses TLS, the server resets the connection or stays silent. No error tells which side uses it.
const ADVICE_PLAIN = 'start Redis, correct the address (rediss:// if it uses TLS)';
const ADVICE_TLS =
  'start Redis, correct the address (redis:// if it does not use TLS), add sslcert=/path and sslkey=/path if it asks for a client certificate';

/** Connects once and reads `INFO`. Returns a warning for the operator, or null. Throws `RedisUnusableError`. */
export const checkRedis = async (redisUrl: string): Promise<string | null> => {
  const redis = openRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // The timer would keep the process alive after its work is done.
    disconnectTimeout: 0,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let cause: Error | undefined;
  redis.on('error', (error: Error) => (cause = error));
  try {
    await redis.connect();
    const report = await redis.info();
    const version = valueOf(report, 'redis_version') ?? '0';
    if (Number.parseInt(version, 10) < 5) {
      throw new RedisUnusableError(
        `Redis ${version} is too old for the queues: REDIS_URL needs version 5 or newer.`,
      );
    }
    return evictionWarning(report);
  } catch (error) {
    if (error instanceof RedisUnusableError) throw error;
    const reason = cause ?? (error as Error);
    const advice = redis.options.tls === undefined ? ADVICE_PLAIN : ADVICE_TLS;
    throw new RedisUnusableError(
      `REDIS_URL cannot be reached (${tlsReason(reason) ?? reason.message}): ${redisAdvice(reason, advice)}, or unset it to keep the queues in PostgreSQL.`,
      { cause: error },
    );
  } finally {
    redis.disconnect();
  }
};
