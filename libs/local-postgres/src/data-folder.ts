import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, rmdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { DatabaseUser } from './database-user.js';
import { databaseUserFor } from './database-user.js';
import { LocalPostgresError } from './local-postgres.error.js';

export interface DataFolder {
  /** Ours: the lock, the password and the server's log lie here. */
  readonly directory: string;
  /** The database user's: the cluster itself. */
  readonly cluster: string;
  readonly user: DatabaseUser;
}

/** Where things go that must not lie in the project's folder. */
export const sharedFolder = (): string =>
  process.getuid?.() === 0 ? '/var/lib/roundhouse' : join(homedir(), '.local', 'share', 'roundhouse');

/** Whether the user can reach the folder and keep a private folder in it, as PostgreSQL demands of its own. */
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
    // Not empty, or never made: not ours to remove.
  }
};

const folderAt = (directory: string): DataFolder => {
  const cluster = join(directory, 'cluster');
  return { directory, cluster, user: databaseUserFor(cluster) };
};

/** The folder that stands in for an asked one: always the same. */
export const otherDirectory = (asked: string): string => {
  const path = resolve(asked);
  const key = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return join(sharedFolder(), `${basename(path)}-${key}`);
};

/**
 * The asked folder, or, where the database's user cannot work in it (it lies under a folder that only root may enter,
 * or on a file system without modes), always the same other one. Throws `LocalPostgresError`.
 */
export const chooseDataFolder = (asked: string): DataFolder => {
  const path = resolve(asked);
  const wanted = folderAt(path);
  if (isUsable(wanted)) return wanted;
  removeEmpty(wanted);
  const other = folderAt(otherDirectory(path));
  if (isUsable(other)) return other;
  throw new LocalPostgresError(
    `Neither ${path} nor ${other.directory} can hold a database: give DATA_DIR a folder that you may write to.`,
  );
};
