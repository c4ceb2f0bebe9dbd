import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { binariesFor, givenBinaries } from './binaries.js';
import { clusterData, ensureCluster, ROLE, urlOf } from './cluster.js';
import type { DataFolder } from './data-folder.js';
import { chooseDataFolder } from './data-folder.js';
import { lockFolder } from './folder-lock.js';
import { freePort } from './free-ports.js';
import { endOrphan, type Shutdown } from './postmaster.js';
import type { ServerProcess, ServerSettings } from './server-process.js';
import { startServer } from './server-process.js';

export interface LocalPostgresOptions {
  /** Created if it is missing. Holds the cluster, its password and its log. */
  readonly directory: string;
  /** (Default: a free port) */
  readonly port?: number;
  readonly settings?: ServerSettings;
  /** Variables for the server's environment, in addition to `LC_ALL`. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder of `initdb` and `postgres`. (Default: that of the embedded server) */
  readonly binaries?: string;
}

export interface LocalPostgres {
  /** The URL of the database `roundhouse`, with the generated password. The server listens only on 127.0.0.1. */
  readonly url: string;
  /** The folder that is used. It is not the requested one if the database's user cannot work in that. */
  readonly directory: string;
  /** Settles when the server has ended; rejects with `LocalPostgresError` if `stop` was not called. */
  readonly ended: Promise<void>;
  /** Ends the sessions and the server; a second call does nothing. (Default: `fast`) */
  stop(shutdown?: Shutdown): Promise<void>;
}

const ensureDatabase = async (password: string, port: number): Promise<void> => {
  const client = new pg.Client({ connectionString: urlOf(password, port, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [ROLE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${ROLE}`);
  } finally {
    await client.end();
  }
};

/** The backends of a killed server may hold its shared memory for a moment, and a free port may be taken meanwhile. */
const ATTEMPTS = 5;

const startOnPort = async (
  folder: DataFolder,
  options: LocalPostgresOptions,
): Promise<{ server: ServerProcess; password: string; port: number }> => {
  const { user } = folder;
  const binaries = options.binaries === undefined ? binariesFor(user) : givenBinaries(user, options.binaries);
  const { password } = ensureCluster(folder, binaries);
  await endOrphan(clusterData(folder));
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const settings: ServerSettings = {
      timezone: 'UTC',
      ...options.settings,
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    };
    try {
      return { server: await startServer(folder, binaries, settings, options.environment), password, port };
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(200 * attempt);
    }
  }
};

/**
 * Starts PostgreSQL in a folder and resumes what is there. A server that a killed process left behind is ended first.
 * The server ends when this process ends, however it ends. Throws `FolderInUseError` if another running process holds
 * the folder, and `LocalPostgresError`.
 */
export const startLocalPostgres = async (options: LocalPostgresOptions): Promise<LocalPostgres> => {
  const folder = chooseDataFolder(options.directory);
  const lock = await lockFolder(folder.directory);
  try {
    const { server, password, port } = await startOnPort(folder, options);
    try {
      await ensureDatabase(password, port);
    } catch (error) {
      await server.stop();
      throw error;
    }
    let stopping: Promise<void> | null = null;
    const stop = (shutdown?: Shutdown): Promise<void> =>
      (stopping ??= server.stop(shutdown).finally(() => lock.release()));
    const url = urlOf(password, port, ROLE);
    return { url, directory: folder.directory, ended: server.ended, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
};
