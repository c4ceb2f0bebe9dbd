import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { LocalPostgresError } from './local-postgres.error.js';

/** Who the server runs as; empty for the user that we are. PostgreSQL refuses to run as root. */
export interface DatabaseUser {
  readonly uid?: number;
  readonly gid?: number;
}

const USER_NAME = 'postgres';

const idOf = (flag: '-u' | '-g'): number | null => {
  const answer = spawnSync('id', [flag, USER_NAME], { encoding: 'utf8' });
  return answer.status === 0 ? Number.parseInt(answer.stdout, 10) : null;
};

const findUser = (): DatabaseUser | null => {
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid === null || gid === null ? null : { uid, gid };
};

const createUser = (): DatabaseUser => {
  const made = spawnSync(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      USER_NAME,
    ],
    { encoding: 'utf8' },
  );
  const user = findUser();
  if (user !== null) return user;
  const reason = made.error?.message ?? made.stderr.trim();
  throw new LocalPostgresError(
    `PostgreSQL does not run as root, and the user "${USER_NAME}" could not be created (${reason}): create it, or start as an ordinary user.`,
  );
};

/** The user for a cluster in `clusterFolder`: its present owner where there is one, so that root goes on with it. */
export const databaseUserFor = (clusterFolder: string): DatabaseUser => {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return findUser() ?? createUser();
};
