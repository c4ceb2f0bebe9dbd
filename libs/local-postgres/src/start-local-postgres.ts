import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** Created if it is missing. Holds the cluster, its password and its log. (Default: a new one for temporary files) */
  readonly directory?: string;
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
  /** Executes statements in the maintenance database, such as CREATE DATABASE, one after the other. */
  administer(...statements: readonly string[]): Promise<void>;
  /** Ends the sessions and the server; a second call does nothing. (Default: `fast`) */
  stop(shutdown?: Shutdown): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/** The URL of another database of the same server. */
export const withDatabase = (url: string, database: string): string => {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
};

/** Connects to a database for the time of the work. */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  // If the server is stopped meanwhile, the query fails too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const ensureDatabase = (url: string): Promise<void> =>
  withClient(withDatabase(url, 'postgres'), async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [ROLE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${ROLE}`);
  });

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
export const startLocalPostgres = async (options: LocalPostgresOptions = {}): Promise<LocalPostgres> => {
  const folder = chooseDataFolder(options.directory ?? mkdtempSync(join(tmpdir(), 'roundhouse-postgres-')));
  const { directory } = folder;
  const lock = await lockFolder(directory);
  try {
    const { server, password, port } = await startOnPort(folder, options);
    const url = urlOf(password, port);
    try {
      await ensureDatabase(url);
    } catch (error) {
      await server.stop();
      throw error;
    }
    let stopping: Promise<void> | null = null;
    const stop = (shutdown?: Shutdown): Promise<void> =>
      (stopping ??= server.stop(shutdown).finally(() => lock.release()));
    return {
      url,
      directory,
      ended: server.ended,
      administer: (...statements) =>
        withClient(withDatabase(url, 'postgres'), async (client) => {
          for (const statement of statements) await client.query(statement);
        }),
      stop,
      remove: () => stop().then(() => rmSync(directory, { recursive: true, force: true })),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};
