import { resolveRedisUrl } from '@roundhouse/config';
import { Redis, type RedisOptions } from 'ioredis';

/** Connects with what the URL says about TLS; connections that are duplicated from this one do the same. */
export const openRedis = (redisUrl: string, options: RedisOptions): Redis => {
  const { url, tls } = resolveRedisUrl(redisUrl);
  return new Redis(url, tls === null ? options : { ...options, tls });
};
