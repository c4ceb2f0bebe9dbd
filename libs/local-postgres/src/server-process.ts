import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { clusterData } from './cluster.js';
import type { DataFolder } from './data-folder.js';
import { LocalPostgresError } from './local-postgres.error.js';
import { LocalProcess } from './local-process.js';
import { readPostmaster, SIGNALS, type Shutdown } from './postmaster.js';
import { waitUntil } from './wait-until.js';

const START_TIMEOUT_MS = 60_000;

/** Server parameters, named as for `postgres -c`. */
export type ServerSettings = Readonly<Record<string, string | number>>;

export interface ServerProcess {
  /** Settles when the server has ended; rejects with `LocalPostgresError` if `stop` was not called. */
  readonly ended: Promise<void>;
  stop(shutdown?: Shutdown): Promise<void>;
}

/** Starts the server and waits until it accepts connections. Throws `LocalPostgresError` with the end of its log. */
export const startServer = async (
  folder: DataFolder,
  binaries: Binaries,
  settings: ServerSettings,
  environment: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> => {
  const data = clusterData(folder);
  const logFile = join(folder.directory, 'server.log');
  const log = openSync(logFile, 'w', 0o600);
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = new LocalProcess(binaries.postgres, ['-D', data, ...parameters], {
    environment: { LC_ALL: 'C', ...environment },
    folder: folder.cluster,
    user: folder.user,
    stdout: log,
    stderr: log,
    signals: SIGNALS.fast,
  });
  closeSync(log);
  const isReady = (): boolean => {
    const postmaster = readPostmaster(data);
    return postmaster !== null && postmaster.pid === server.pid && postmaster.isReady;
  };
  await waitUntil(() => server.hasEnded || isReady(), START_TIMEOUT_MS);
  if (server.hasEnded || !isReady()) {
    const { stderr } = await server.stop();
    const lastLines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-4).join(' | ');
    throw new LocalPostgresError(`PostgreSQL did not start in ${folder.directory} (${stderr || lastLines}).`);
  }
  server.unref();
  let isStopping = false;
  const ended = server.ended.then(({ code, signal }) => {
    if (isStopping) return;
    throw new LocalPostgresError(
      `PostgreSQL ended by itself (${signal ?? `code ${code}`}): read ${logFile}, then start again.`,
    );
  });
  // A rejection that nobody awaits must not end the process.
  ended.catch(() => undefined);
  const stop = async (shutdown: Shutdown = 'fast'): Promise<void> => {
    isStopping = true;
    await server.stop(SIGNALS[shutdown]);
  };
  return { ended, stop };
};
