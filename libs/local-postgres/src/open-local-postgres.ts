import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clusterData, readPassword, urlOf } from './cluster.js';
import { otherDirectory } from './data-folder.js';
import { LocalPostgresError } from './local-postgres.error.js';
import { readPostmaster } from './postmaster.js';
import { isServerOf, processStart } from './process-identity.js';
import { startLocalPostgres, type LocalPostgres } from './start-local-postgres.js';

/** The URL of the server that runs on one folder; null if none does. */
const urlIn = (directory: string): string | null => {
  const folder = { directory, cluster: join(directory, 'cluster') };
  const data = clusterData(folder);
  const postmaster = readPostmaster(data);
  if (postmaster === null || !postmaster.isReady || processStart(postmaster.pid) === null) return null;
  if (isServerOf(postmaster.pid, data) === false) return null;
  return urlOf(readPassword(folder), postmaster.port);
};

const find = (asked: string): string | null => {
  try {
    return urlIn(asked) ?? urlIn(otherDirectory(asked));
  } catch (cause) {
    throw new LocalPostgresError(
      `The password of the PostgreSQL in ${asked} cannot be read (${(cause as Error).message}): run this as the user who started it.`,
      { cause },
    );
  }
};

const holdsCluster = (directory: string): boolean =>
  existsSync(clusterData({ cluster: join(directory, 'cluster') }));

/**
 * The server that another process started with `startLocalPostgres` on this folder. If none runs, starts it; `stop` ends
 * only what this call has started. Null if the folder has never held one. Throws as `startLocalPostgres`, and
 * `LocalPostgresError` if the password cannot be read.
 */
export const openLocalPostgres = async (
  asked: string,
): Promise<Pick<LocalPostgres, 'url' | 'stop'> | null> => {
  const url = find(asked);
  if (url !== null) return { url, stop: () => Promise.resolve() };
  if (!holdsCluster(asked) && !holdsCluster(otherDirectory(asked))) return null;
  return startLocalPostgres({ directory: asked });
};
