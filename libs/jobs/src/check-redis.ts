import { tlsAdvice } from '@roundhouse/config';
import { openRedis } from './open-redis.js';

/** Redis cannot serve the queues; the message says what to do and holds no credentials. */
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

/** What is wrong with a Redis that may drop keys, or null where it keeps them. */
export const evictionWarning = (report: string): string | null => {
  const policy = valueOf(report, 'maxmemory_policy');
  if (policy === undefined || policy === 'noeviction') return null;
  return (
    `Redis may drop jobs when its memory is full (maxmemory-policy is ${policy}): ` +
    `set "maxmemory-policy noeviction". Lost jobs are planned again, but that costs time.`
  );
};

// A server that gets what it does not expect resets the connection or keeps silent: no error tells these apart.
const MEND_PLAIN = 'start Redis, mend the address (rediss:// where it speaks TLS)';
const MEND_TLS =
  'start Redis, mend the address (redis:// where it speaks no TLS), add sslcert=/path and sslkey=/path where it asks for a certificate of ours';

/** OpenSSL's own message is a line from its log; its reason is made of words. */
const reasonOf = (error: Error): string => (error as { reason?: string }).reason ?? error.message;

/** Connects once and reads `INFO`. Gives a warning for the operator, or null. Throws `RedisUnusableError`. */
export const checkRedis = async (redisUrl: string): Promise<string | null> => {
  const redis = openRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Its timer would keep a process alive that has nothing more to do.
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
    const mend = redis.options.tls === undefined ? MEND_PLAIN : MEND_TLS;
    throw new RedisUnusableError(
      `REDIS_URL cannot be reached (${reasonOf(reason)}): ${tlsAdvice(reason) ?? mend}, or unset it to keep the queues in PostgreSQL.`,
      { cause: error },
    );
  } finally {
    redis.disconnect();
  }
};
