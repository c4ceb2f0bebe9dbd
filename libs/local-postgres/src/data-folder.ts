import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, rmdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { DatabaseUser } from './database-user.js';
import { databaseUserFor } from './database-user.js';
import { LocalPostgresError } from './local-postgres.error.js';

export interface DataFolder {
  /** Owned by us: holds the lock, the password and the server's log. */
  readonly directory: string;
  /** Owned by the database's user: holds the cluster. */
  readonly cluster: string;
  readonly user: DatabaseUser;
}

/** The folder for files that must not be in the project's folder. */
export const sharedFolder = (): string =>
  process.getuid?.() === 0 ? '/var/lib/roundhouse' : join(homedir(), '.local', 'share', 'roundhouse');

/** Tests whether the user can enter the folder and create a private folder in it, as PostgreSQL requires. */
const PROBE =
  'cd "$1" && mkdir -m 700 .probe.$$ && { [ "$(ls -ld .probe.$$ | cut -c1-10)" = drwx------ ]; s=$?; rmdir .probe.$$; exit $s; }';

const isUsable = (folder: DataFolder): boolean => {
  try {
    mkdirSync(folder.directory, { recursive: true });
    if (folder.user.uid !== undefined) chmodSync(folder.directory, 0o711);
    mkdirSync(folder.cluster, { recursive: true, mode: 0o700 });
    if (folder.user.uid !== undefined && folder.user.gid !== undefined) {
      chownSync(folder.cluster, folder.user.uid, folder.user.gid);
    }
  } catch {
    return false;
  }
  return (
    spawnSync('/bin/sh', ['-c', PROBE, 'probe', folder.cluster], { ...folder.user, cwd: '/' }).status === 0
  );
};

const removeEmpty = (folder: DataFolder): void => {
  try {
    rmdirSync(folder.cluster);
    rmdirSync(folder.directory);
  } catch {
    // Not empty or never created: leave it alone.
  }
};

const folderAt = (directory: string): DataFolder => {
  const cluster = join(directory, 'cluster');
  return { directory, cluster, user: databaseUserFor(cluster) };
};

/** The folder that replaces the requested one. The same request always gets the same folder. */
export const otherDirectory = (asked: string): string => {
  const path = resolve(asked);
  const key = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return join(sharedFolder(), `${basename(path)}-${key}`);
};

/**
 * Returns the requested folder. If the database's user cannot work in it, returns another one, always the same: the
 * requested one may be below a folder that only root may enter, or on a file system without modes. Throws
 * `LocalPostgresError`.
 */
export const chooseDataFolder = (asked: string): DataFolder => {
  const path = resolve(asked);
  const wanted = folderAt(path);
  if (isUsable(wanted)) return wanted;
  removeEmpty(wanted);
  const other = folderAt(otherDirectory(path));
  if (isUsable(other)) return other;
  throw new LocalPostgresError(
    `Neither ${path} nor ${other.directory} can hold a database: set DATA_DIR to a folder that you may write to.`,
  );
};
