import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { clusterData } from './cluster.js';
import type { DataFolder } from './data-folder.js';
import { LocalPostgresError } from './local-postgres.error.js';
import { endProcess, readPostmaster, type Shutdown } from './postmaster.js';
import { waitUntil } from './wait-until.js';

const START_TIMEOUT_MS = 60_000;

/** Server parameters, named as for `postgres -c`. */
export type ServerSettings = Readonly<Record<string, string | number>>;

export interface ServerProcess {
  /** Settles when the server has ended; rejects with `LocalPostgresError` if `stop` was not called. */
  readonly ended: Promise<void>;
  stop(shutdown?: Shutdown): Promise<void>;
}

/**
 * Its stdin is a pipe from this process. When this process ends, however it ends, the pipe closes and the guard stops
 * the server.
 */
const GUARD = 'read -r line; [ "$(head -n 1 "$1/postmaster.pid" 2>/dev/null)" = "$2" ] && kill -INT "$2"';

const startGuard = (data: string, pid: number): ChildProcess => {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', data, String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return guard;
};

/** Resolves when the guard has ended, so that nothing of a stopped server is left. */
const endGuard = async (guard: ChildProcess): Promise<void> => {
  if (guard.exitCode !== null || guard.signalCode !== null) return;
  guard.ref();
  const ended = once(guard, 'exit');
  guard.kill('SIGKILL');
  await ended;
};

const spawnServer = (
  folder: DataFolder,
  binaries: Binaries,
  settings: ServerSettings,
  logFile: string,
  environment: NodeJS.ProcessEnv,
): ChildProcess => {
  const log = openSync(logFile, 'w', 0o600);
  try {
    return spawn(
      binaries.postgres,
      [
        '-D',
        clusterData(folder),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // A session of its own: Ctrl-C in a terminal must not reach the server, which outlives its clients.
      {
        ...folder.user,
        cwd: folder.cluster,
        env: { LC_ALL: 'C', ...environment },
        detached: true,
        stdio: ['ignore', log, log],
      },
    );
  } finally {
    closeSync(log);
  }
};

/** Starts the server and waits until it accepts connections. Throws `LocalPostgresError` with the end of its log. */
export const startServer = async (
  folder: DataFolder,
  binaries: Binaries,
  settings: ServerSettings,
  environment: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> => {
  const data = clusterData(folder);
  const logFile = join(folder.directory, 'server.log');
  const server = spawnServer(folder, binaries, settings, logFile, environment);
  let spawnError: Error | null = null;
  server.once('error', (error) => (spawnError = error));
  const { pid } = server;
  const hasEnded = (): boolean =>
    spawnError !== null || server.exitCode !== null || server.signalCode !== null;
  const isReady = (): boolean => {
    const postmaster = readPostmaster(data);
    return postmaster !== null && postmaster.pid === pid && postmaster.isReady;
  };
  await waitUntil(() => hasEnded() || isReady(), START_TIMEOUT_MS);
  if (pid === undefined || hasEnded() || !isReady()) {
    if (pid !== undefined && !hasEnded()) await endProcess(pid);
    const lastLines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-4).join(' | ');
    throw new LocalPostgresError(
      `PostgreSQL did not start in ${folder.directory} (${(spawnError as Error | null)?.message ?? lastLines}).`,
    );
  }
  const guard = startGuard(data, pid);
  server.unref();
  let isStopping = false;
  const ended = new Promise<void>((resolve, reject) => {
    server.once('exit', (code, signal) => {
      if (isStopping) return resolve();
      reject(
        new LocalPostgresError(
          `PostgreSQL ended by itself (${signal ?? `code ${code}`}): read ${logFile}, then start again.`,
        ),
      );
    });
  });
  // A rejection that nobody awaits must not end the process.
  ended.catch(() => undefined);
  const stop = async (shutdown?: Shutdown): Promise<void> => {
    isStopping = true;
    if (!hasEnded()) await endProcess(pid, shutdown);
    await endGuard(guard);
  };
  return { ended, stop };
};
