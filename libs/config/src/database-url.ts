import { z } from 'zod';
import { addressMistake } from './address-mistake.js';
import { readTlsFiles } from './tls-files.js';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** libpq's way to name the authorities that the system trusts; for us those that Node.js trusts. */
const SYSTEM = 'system';

const checkMode = (mode: string, searchParams: URLSearchParams): void => {
  if (mode === 'prefer' || mode === 'allow') {
    throw new Error(
      `its sslmode=${mode} leaves open whether the connection is encrypted: take require, verify-ca or verify-full, or disable`,
    );
  }
  if (!MODES.includes(mode)) throw new Error(`its sslmode must be one of ${MODES.join(', ')}`);
  const authority = searchParams.get('sslrootcert');
  if (mode === 'verify-ca' && authority === null) {
    throw new Error(
      'its sslmode=verify-ca needs sslrootcert: name the certificate of the authority, or take verify-full',
    );
  }
  if (authority === SYSTEM && mode !== 'verify-full') {
    throw new Error(
      'its sslrootcert=system needs sslmode=verify-full, as anybody has certificates from there',
    );
  }
};

/**
 * The address of a PostgreSQL as pg takes it. TLS is asked for in libpq's words (`sslmode`, `sslrootcert`, `sslcert`,
 * `sslkey`), which pg understands differently unless it is told. Idempotent. Throws an `Error` that begins with "its …"
 * for a combination that cannot work, and for files that cannot be used.
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

/** A setting that names a PostgreSQL: its URL, checked and as pg takes it. */
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
