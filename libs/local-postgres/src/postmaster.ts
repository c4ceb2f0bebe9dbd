import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from './wait-until.js';
import { LocalPostgresError } from './local-postgres.error.js';
import { processCommand, processStart } from './process-identity.js';

export interface Postmaster {
  readonly pid: number;
  readonly isReady: boolean;
}

/** What `postmaster.pid` says: the number is on line 1, the state on line 8. Null where there is no such file. */
export const readPostmaster = (data: string): Postmaster | null => {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number.parseInt(lines[0] ?? '', 10), isReady: lines[7]?.trim() === 'ready' };
  } catch {
    return null;
  }
};

/** Whether that very process is a server on this folder: its number may have gone to another program since. */
const isServerOf = (pid: number, data: string): boolean => {
  const command = processCommand(pid);
  return command !== null && /^\S*postgres /.test(command) && command.includes(` -D ${data} `);
};

const STOP_TIMEOUT_MS = 20_000;

/** Asks for a fast shutdown, and for an immediate one (safe: the log is replayed at the next start) where that hangs. */
export const endProcess = async (pid: number): Promise<void> => {
  const start = processStart(pid);
  const isGone = (): boolean => start === null || processStart(pid) !== start;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (isGone()) return;
    process.kill(pid, signal);
    if (await waitUntil(isGone, STOP_TIMEOUT_MS)) return;
  }
  throw new LocalPostgresError(`The server with process number ${pid} does not stop: end it by hand.`);
};

/** Ends the server that a killed parent left behind on this folder. A stale file is left to postgres, which takes it over. */
export const endOrphan = async (data: string): Promise<void> => {
  const left = readPostmaster(data);
  if (left !== null && isServerOf(left.pid, data)) await endProcess(left.pid);
};
