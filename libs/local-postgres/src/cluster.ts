import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { DataFolder } from './data-folder.js';
import { LocalPostgresError } from './local-postgres.error.js';

/** The name of the cluster's only role and of its database. */
export const ROLE = 'roundhouse';

/** The URL of the cluster's database. */
export const urlOf = (password: string, port: number): string =>
  `postgres://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`;

/** The data folder that `postgres` is started with. */
export const clusterData = (folder: Pick<DataFolder, 'cluster'>): string => join(folder.cluster, 'data');

const passwordFile = (folder: Pick<DataFolder, 'directory'>): string => join(folder.directory, 'password');

export const readPassword = (folder: Pick<DataFolder, 'directory'>): string =>
  readFileSync(passwordFile(folder), 'utf8').trim();

const checkVersion = (folder: DataFolder, binaries: Binaries): void => {
  const version = readFileSync(join(clusterData(folder), 'PG_VERSION'), 'utf8').trim();
  if (version === binaries.majorVersion) return;
  throw new LocalPostgresError(
    `${folder.directory} was made by PostgreSQL ${version}, but this is version ${binaries.majorVersion}: choose another DATA_DIR, or remove the folder and index again.`,
  );
};

/** Creates the cluster if it is missing. An interrupted attempt leaves nothing that looks like a cluster. */
export const ensureCluster = (folder: DataFolder, binaries: Binaries): { password: string } => {
  const data = clusterData(folder);
  if (existsSync(join(data, 'PG_VERSION'))) {
    checkVersion(folder, binaries);
    return { password: readPassword(folder) };
  }
  const password = randomBytes(24).toString('hex');
  writeFileSync(passwordFile(folder), password, { mode: 0o600 });
  const handed = join(folder.cluster, 'password');
  writeFileSync(handed, password, { mode: 0o600 });
  const { uid, gid } = folder.user;
  if (uid !== undefined && gid !== undefined) chownSync(handed, uid, gid);
  const half = `${data}.half`;
  rmSync(half, { recursive: true, force: true });
  const made = spawnSync(
    binaries.initdb,
    [
      `--pgdata=${half}`,
      `--username=${ROLE}`,
      `--pwfile=${handed}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
    ],
    { ...folder.user, cwd: folder.cluster, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, encoding: 'utf8' },
  );
  rmSync(handed, { force: true });
  if (made.status !== 0) {
    throw new LocalPostgresError(
      `initdb failed in ${folder.cluster}: ${made.error?.message ?? made.stderr.trim()}`,
    );
  }
  renameSync(half, data);
  return { password };
};
