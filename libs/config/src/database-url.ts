import { z } from 'zod';
import { addressMistake } from './address-mistake.js';
import { readTlsFiles } from './tls-files.js';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** libpq's value for "the authorities that the system trusts". Here it means those that Node.js trusts. */
const SYSTEM = 'system';

const checkMode = (mode: string, searchParams: URLSearchParams): void => {
  if (mode === 'prefer' || mode === 'allow') {
    throw new Error(
      `its sslmode=${mode} does not say whether the connection must be encrypted: use require, verify-ca, verify-full or disable`,
    );
  }
  if (!MODES.includes(mode)) throw new Error(`its sslmode must be one of ${MODES.join(', ')}`);
  const authority = searchParams.get('sslrootcert');
  if (mode === 'verify-ca' && authority === null) {
    throw new Error(
      'its sslmode=verify-ca needs sslrootcert: name the certificate of the authority, or use verify-full',
    );
  }
  if (authority === SYSTEM && mode !== 'verify-full') {
    throw new Error(
      'its sslrootcert=system needs sslmode=verify-full, because anyone can get a certificate from a public authority',
    );
  }
};

/**
 * Converts a PostgreSQL URL to the form that `pg` expects. The TLS parameters (`sslmode`, `sslrootcert`, `sslcert`,
 * `sslkey`) mean what they mean in libpq; `pg` reads them differently by default. Idempotent. Throws an `Error` that
 * begins with "its …" if the parameters contradict each other or a file cannot be used.
 */
export const resolveDatabaseUrl = (text: string): string => {
  const url = new URL(text);
  const { searchParams } = url;
  const mistake = addressMistake(url);
  if (mistake !== null) throw new Error(mistake);
  const mode = searchParams.get('sslmode');
  if (mode !== null) checkMode(mode, searchParams);
  if (searchParams.get('sslrootcert') === SYSTEM) searchParams.delete('sslrootcert');
  readTlsFiles(url);
  if (mode !== null) searchParams.set('uselibpqcompat', 'true');
  return mode === null ? text : url.href;
};

const WHAT = 'a URL that begins with postgres://';

const isDatabaseUrl = (text: string): boolean =>
  URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);

/** A setting that holds the URL of a PostgreSQL. Its value is checked and in the form that `pg` expects. */
export const databaseUrl = z
  .string({ error: `it must be set to ${WHAT}` })
  .refine(isDatabaseUrl, { error: `it must be ${WHAT}`, abort: true })
  .transform((text, context) => {
    try {
      return resolveDatabaseUrl(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  });
