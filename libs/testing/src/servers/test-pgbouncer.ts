import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, LocalProcess } from '@roundhouse/local-postgres';
import { findProgram } from './find-program.js';

export interface TestPgbouncer {
  /** The address of the same database and role through the pooler. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

interface PgbouncerOptions {
  readonly port?: number;
  /** How many sessions a role may use in a database. (Default: 3) */
  readonly poolSize?: number;
  /** Settings of clients' sessions that are dropped instead of refused. (Default: none) */
  readonly ignored?: string;
}

/** The `pgbouncer` of this machine, or null. */
export const pgbouncerProgram = findProgram('pgbouncer');

/** Starts a PgBouncer in transaction mode before the server of these addresses, for their roles. */
export const startTestPgbouncer = async (
  databaseUrls: readonly string[],
  { port: givenPort, poolSize = 3, ignored = '' }: PgbouncerOptions = {},
): Promise<TestPgbouncer> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = givenPort ?? (await freePort());
  const roles = databaseUrls.map((url) => new URL(url));
  const users = roles.map(({ username, password }) => `"${username}" "${password}"\n`);
  writeFileSync(join(folder, 'users.txt'), users.join(''));
  const settings = `[databases]
* = host=127.0.0.1 port=${roles[0]!.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${poolSize}
ignore_startup_parameters = ${ignored}
`;
  writeFileSync(join(folder, 'pgbouncer.ini'), settings);
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const server = new LocalProcess(pgbouncerProgram!, [...user, join(folder, 'pgbouncer.ini')]);
  await server.until('it was up', () => server.output.stderr.includes('process up'));
  return {
    through: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
};
