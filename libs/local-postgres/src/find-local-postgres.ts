import { join } from 'node:path';
import { clusterData, readPassword, urlOf } from './cluster.js';
import { otherDirectory } from './data-folder.js';
import { LocalPostgresError } from './local-postgres.error.js';
import { readPostmaster } from './postmaster.js';
import { isServerOf, processStart } from './process-identity.js';

/** The URL of the server that runs on one folder; null if none does. */
const urlIn = (directory: string): string | null => {
  const folder = { directory, cluster: join(directory, 'cluster') };
  const data = clusterData(folder);
  const postmaster = readPostmaster(data);
  if (postmaster === null || !postmaster.isReady || processStart(postmaster.pid) === null) return null;
  if (isServerOf(postmaster.pid, data) === false) return null;
  return urlOf(readPassword(folder), postmaster.port);
};

/**
 * Returns the URL of the server that another process started with `startLocalPostgres` on this folder; null if none
 * runs. Changes nothing. Throws `LocalPostgresError` if the password cannot be read.
 */
export const findLocalPostgres = (asked: string): string | null => {
  try {
    return urlIn(asked) ?? urlIn(otherDirectory(asked));
  } catch (cause) {
    throw new LocalPostgresError(
      `The password of the PostgreSQL in ${asked} cannot be read (${(cause as Error).message}): run this as the user who started it.`,
      { cause },
    );
  }
};
