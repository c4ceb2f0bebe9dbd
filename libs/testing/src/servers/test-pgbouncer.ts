import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '@roundhouse/local-postgres';

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

/** Debian installs it outside the PATH of ordinary users. */
const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** The `pgbouncer` of this machine, or undefined. */
export const pgbouncerProgram = PLACES.map((folder) => join(folder, 'pgbouncer')).find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

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
  const server = spawn(pgbouncerProgram!, [...user, join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`pgbouncer ended with code ${code}: ${said}`)));
    server.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('process up')) resolve();
    });
  });
  server.removeAllListeners('exit');
  return {
    through: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};
