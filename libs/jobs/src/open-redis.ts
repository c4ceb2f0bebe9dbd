import { resolveRedisUrl } from '@roundhouse/config';
import { Redis, type RedisOptions } from 'ioredis';

/** Connects with the TLS options of the URL. Connections duplicated from this one use them too. */
export const openRedis = (redisUrl: string, options: RedisOptions): Redis => {
  const { url, tls } = resolveRedisUrl(redisUrl);
  return new Redis(url, tls === null ? options : { ...options, tls });
};
