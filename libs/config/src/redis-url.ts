import { z } from 'zod';
import { addressMistake } from './address-mistake.js';
import { FILE_PARAMETERS, readTlsFiles, type TlsFiles } from './tls-files.js';

export interface RedisAddress {
  /** Without the parameters that only Roundhouse understands. */
  readonly url: string;
  /** Null if the connection is not encrypted. */
  readonly tls: TlsFiles | null;
}

/**
 * Parses a Redis URL. `rediss://` asks for TLS and for a check of the server's name. `sslrootcert`, `sslcert` and
 * `sslkey` mean the same as for PostgreSQL. Throws an `Error` that begins with "its …".
 */
export const resolveRedisUrl = (text: string): RedisAddress => {
  const url = new URL(text);
  const mistake = addressMistake(url);
  if (mistake !== null) throw new Error(mistake);
  const named = FILE_PARAMETERS.filter((parameter) => url.searchParams.has(parameter));
  if (url.protocol !== 'rediss:') {
    if (named.length > 0) throw new Error(`its ${named[0]} asks for TLS: begin it with rediss://`);
    return { url: url.href, tls: null };
  }
  const tls = readTlsFiles(url);
  for (const parameter of named) url.searchParams.delete(parameter);
  return { url: url.href, tls };
};

const WHAT = 'a URL that begins with redis:// or rediss://';

const isRedisUrl = (text: string): boolean =>
  URL.canParse(text) && ['redis:', 'rediss:'].includes(new URL(text).protocol);

/** A setting that holds the URL of a Redis. Its value is checked. */
export const redisUrl = z
  .string({ error: `it must be set to ${WHAT}` })
  .refine(isRedisUrl, { error: `it must be ${WHAT}`, abort: true })
  .superRefine((text, context) => {
    try {
      resolveRedisUrl(text);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  });
