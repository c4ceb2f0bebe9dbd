import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { LocalPostgresError } from './local-postgres.error.js';

/** The user that the server runs as; empty for the current user. PostgreSQL refuses to run as root. */
export interface DatabaseUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Every machine has `nobody`. No user is created. */
const USER_NAMES = ['postgres', 'nobody'];

const idOf = (flag: '-u' | '-g', name: string): number | null => {
  const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return answer.status === 0 ? Number.parseInt(answer.stdout, 10) : null;
};

const findUser = (name: string): DatabaseUser | null => {
  const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
  return uid === null || gid === null ? null : { uid, gid };
};

/** The user for a cluster in `clusterFolder`: its current owner if it exists, so that root can resume it. */
export const databaseUserFor = (clusterFolder: string): DatabaseUser => {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of USER_NAMES) {
    const user = findUser(name);
    if (user !== null) return user;
  }
  throw new LocalPostgresError(
    `PostgreSQL does not run as root, and this machine has no user ${USER_NAMES.join(' or ')} to run it: start as an ordinary user, or set DATABASE_URL to your own server.`,
  );
};
