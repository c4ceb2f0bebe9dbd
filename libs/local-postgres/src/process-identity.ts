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
 * The start time of a running process in the system's own format; null if there is no such process. A process number
 * is reused some day; number and start together are not.
 */
export const processStart = (pid: number): string | null => {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const stat = procFile(pid, 'stat');
  if (stat === null) return null;
  // The second field is the command in parentheses and may contain anything. The state follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z';
  return isZombie ? null : (fields[19] ?? null);
};

/**
 * Whether a running process is the PostgreSQL server of a data folder; null if this is unknown. On Linux this compares
 * the working directory, which a server never changes; elsewhere it reads the command line.
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
