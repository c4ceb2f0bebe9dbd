import { chownSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabase } from '@roundhouse/local-postgres';
import { TestAuthority } from '../certificates/test-authority.js';
import { startPostgres } from './test-postgres.js';
import { startTestRedis } from './test-redis.js';

/** The only database that requires a client certificate. */
const MUTUAL_DATABASE = 'mutual';

// Only this helper uses the maintenance database, to create the others.
const ACCESS = `
host postgres all 127.0.0.1/32 scram-sha-256
hostssl ${MUTUAL_DATABASE} all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca
hostssl all all 127.0.0.1/32 scram-sha-256
`;

export interface TlsTestServers {
  /** Files that an operator would name in a URL. */
  readonly files: Readonly<
    Record<'authority' | 'otherAuthority' | 'clientCertificate' | 'clientKey', string>
  >;
  /** Creates an empty database that accepts only encrypted sessions. Returns its URL without TLS parameters. */
  createDatabase(kind?: 'server certificate' | 'client certificate'): Promise<string>;
  /** Without TLS parameters; null if there is no `redis-server` on the PATH. */
  readonly redisUrl: string | null;
  /** The URL of a Redis that requires a client certificate. */
  readonly mutualRedisUrl: string | null;
  stop(): Promise<void>;
}

/** Writes a file that belongs to the folder's owner, as PostgreSQL requires for keys. Returns its path. */
const write = (folder: string, name: string, text: string): string => {
  const file = join(folder, name);
  const { uid, gid } = statSync(folder);
  writeFileSync(file, text, { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  return file;
};

/** Writes the files of a server or client. Returns their paths. */
const issueTo = (
  folder: string,
  authority: TestAuthority,
  name: string,
  addresses: readonly string[] = [],
) => {
  const { certificate, key } = authority.issue(name, addresses);
  return {
    authority: write(folder, 'authority.crt', authority.certificate),
    certificate: write(folder, `${name}.crt`, certificate),
    key: write(folder, `${name}.key`, key),
  };
};

const startTlsPostgres = async (authority: TestAuthority) => {
  const plain = await startPostgres();
  await plain.stop();
  const cluster = join(plain.directory, 'cluster');
  const files = issueTo(cluster, authority, 'server', ['127.0.0.1']);
  return startPostgres({
    directory: plain.directory,
    settings: {
      ssl: 'on',
      ssl_cert_file: files.certificate,
      ssl_key_file: files.key,
      ssl_ca_file: files.authority,
      hba_file: write(cluster, 'access.conf', ACCESS),
    },
  });
};

/**
 * Starts a PostgreSQL and, if available, Redis servers. They accept only encrypted connections and have their own
 * certificate authority.
 */
export const startTlsTestServers = async (): Promise<TlsTestServers> => {
  const folder = await mkdtemp(join(tmpdir(), 'roundhouse-tls-'));
  const authority = new TestAuthority();
  const other = new TestAuthority('Another authority');
  const postgres = await startTlsPostgres(authority);
  const server = issueTo(folder, authority, 'redis', ['127.0.0.1']);
  const client = issueTo(folder, authority, 'client');
  const startRedis = (asksForClientCertificate: boolean) =>
    startTestRedis(folder, { tls: { ...server, asksForClientCertificate } });
  const redis = await startRedis(false);
  const mutualRedis = await startRedis(true);
  let databases = 0;
  return {
    files: {
      authority: server.authority,
      otherAuthority: write(folder, 'other.crt', other.certificate),
      clientCertificate: client.certificate,
      clientKey: client.key,
    },
    createDatabase: async (kind = 'server certificate') => {
      const name = kind === 'client certificate' ? MUTUAL_DATABASE : `index_${(databases += 1)}`;
      await postgres.administer(`CREATE DATABASE ${name}`);
      return withDatabase(postgres.url, name);
    },
    redisUrl: redis?.url ?? null,
    mutualRedisUrl: mutualRedis?.url ?? null,
    stop: async () => {
      await mutualRedis?.stop();
      await redis?.stop();
      await postgres.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
