import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from './wait-until.js';
import { LocalPostgresError } from './local-postgres.error.js';
import { isServerOf, processStart } from './process-identity.js';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/**
 * Reads `postmaster.pid`: line 1 is the process number, line 4 the port, line 8 the state. Null if there is no such
 * file.
 */
export const readPostmaster = (data: string): Postmaster | null => {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    const numberIn = (line: number): number => Number.parseInt(lines[line - 1] ?? '', 10);
    return { pid: numberIn(1), port: numberIn(4), isReady: lines[7]?.trim() === 'ready' };
  } catch {
    return null;
  }
};

const STOP_TIMEOUT_MS = 20_000;

/** `fast` ends all sessions and flushes everything. `immediate` leaves recovery to the next start, like a crash. */
export type Shutdown = 'fast' | 'immediate';

/** What ends a server, one after the other. The next start replays the log, so all of them are safe. */
export const SIGNALS = {
  fast: ['SIGINT', 'SIGQUIT', 'SIGKILL'],
  immediate: ['SIGQUIT', 'SIGKILL'],
} as const satisfies Record<Shutdown, readonly NodeJS.Signals[]>;

const endProcess = async (pid: number): Promise<void> => {
  const start = processStart(pid);
  const isGone = (): boolean => start === null || processStart(pid) !== start;
  for (const signal of SIGNALS.fast) {
    if (isGone()) return;
    process.kill(pid, signal);
    if (await waitUntil(isGone, STOP_TIMEOUT_MS)) return;
  }
  throw new LocalPostgresError(`The server with process number ${pid} does not stop: end it by hand.`);
};

/**
 * Ends the server that a killed parent left running on this folder. If the process in `postmaster.pid` is gone,
 * postgres takes the file over. If its number now belongs to another program, postgres would not start, so the file
 * is removed. If it is unknown whether the process is that server, the file stays: a running server needs it, and
 * postgres reports the problem.
 */
export const endOrphan = async (data: string): Promise<void> => {
  const left = readPostmaster(data);
  if (left === null || processStart(left.pid) === null) return;
  const isServer = isServerOf(left.pid, data);
  if (isServer === true) await endProcess(left.pid);
  if (isServer === false) rmSync(join(data, 'postmaster.pid'), { force: true });
};
