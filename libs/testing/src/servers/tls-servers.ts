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

/** Files that an operator would name in a URL. */
export interface TlsTestFiles {
  readonly authority: string;
  readonly otherAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

export interface TlsTestServers {
  readonly files: TlsTestFiles;
  /** Creates an empty database that accepts only encrypted sessions. Returns its URL without TLS parameters. */
  createDatabase(kind?: 'server certificate' | 'client certificate'): Promise<string>;
  /** Without TLS parameters; null if there is no `redis-server` on the PATH. */
  readonly redisUrl: string | null;
  /** The URL of a Redis that requires a client certificate. */
  readonly mutualRedisUrl: string | null;
  stop(): Promise<void>;
}

interface Folder {
  readonly path: string;
  write(name: string, text: string): string;
}

/** Writes files that belong to the folder's owner, as PostgreSQL requires for keys. */
const folderOf = (path: string): Folder => ({
  path,
  write: (name, text) => {
    const file = join(path, name);
    const { uid, gid } = statSync(path);
    writeFileSync(file, text, { mode: 0o600 });
    if (process.getuid?.() === 0) chownSync(file, uid, gid);
    return file;
  },
});

const startTlsPostgres = async (authority: TestAuthority) => {
  const plain = await startPostgres();
  await plain.stop();
  const cluster = folderOf(join(plain.directory, 'cluster'));
  const { certificate, key } = authority.issue('PostgreSQL', ['127.0.0.1']);
  return startPostgres({
    directory: plain.directory,
    settings: {
      ssl: 'on',
      ssl_cert_file: cluster.write('server.crt', certificate),
      ssl_key_file: cluster.write('server.key', key),
      ssl_ca_file: cluster.write('ca.crt', authority.certificate),
      hba_file: cluster.write('access.conf', ACCESS),
    },
  });
};

const startRedis = (folder: Folder, authority: TestAuthority, asksForClientCertificate: boolean) => {
  const { certificate, key } = authority.issue('Redis', ['127.0.0.1']);
  const tls = {
    authority: folder.write('redis-ca.crt', authority.certificate),
    certificate: folder.write('redis.crt', certificate),
    key: folder.write('redis.key', key),
    asksForClientCertificate,
  };
  return startTestRedis(folder.path, { tls });
};

const writeFiles = (folder: Folder, authority: TestAuthority): TlsTestFiles => {
  const client = authority.issue('client');
  return {
    authority: folder.write('authority.crt', authority.certificate),
    otherAuthority: folder.write('other.crt', new TestAuthority('Another authority').certificate),
    clientCertificate: folder.write('client.crt', client.certificate),
    clientKey: folder.write('client.key', client.key),
  };
};

/**
 * Starts a PostgreSQL and, if available, Redis servers. They accept only encrypted connections and have their own
 * certificate authority.
 */
export const startTlsTestServers = async (): Promise<TlsTestServers> => {
  const folder = folderOf(await mkdtemp(join(tmpdir(), 'roundhouse-tls-')));
  const authority = new TestAuthority();
  const postgres = await startTlsPostgres(authority);
  const redis = await startRedis(folder, authority, false);
  const mutualRedis = await startRedis(folder, authority, true);
  let databases = 0;
  return {
    files: writeFiles(folder, authority),
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
      await rm(folder.path, { recursive: true, force: true });
    },
  };
};
