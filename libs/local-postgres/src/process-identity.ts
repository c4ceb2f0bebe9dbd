import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

const ps = (pid: number, column: string): string | null => {
  const answer = spawnSync('ps', ['-p', String(pid), '-o', `${column}=`], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : null;
};

const procFile = (pid: number, name: string): string | null => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
};

/**
 * When a live process started, in the system's own words, or null when there is none. A number comes back for another
 * process one day; number and start together do not.
 */
export const processStart = (pid: number): string | null => {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const stat = procFile(pid, 'stat');
  if (stat === null) return null;
  // The second field is the command in brackets and may hold anything; the state and the rest follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z';
  return isZombie ? null : (fields[19] ?? null);
};

/**
 * Whether a live process is the PostgreSQL server of a data folder; null where that cannot be told. On Linux by the folder
 * that it works in, which a server never leaves; elsewhere by its command line.
 */
export const isServerOf = (pid: number, data: string): boolean | null => {
  if (process.platform !== 'linux') {
    const command = ps(pid, 'command');
    if (command === null || command.includes(` -D ${data} `)) return command !== null;
    return command.includes('postgres') ? null : false;
  }
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(data)];
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch {
    return null;
  }
};
