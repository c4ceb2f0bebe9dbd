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

/** What `postmaster.pid` says: the number is on line 1, the port on line 4, the state on line 8. Null where there is no such file. */
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

/** `fast` ends all sessions and writes everything down; `immediate` leaves that to the next start, as a crash does. */
export type Shutdown = 'fast' | 'immediate';

const SIGNALS = {
  fast: ['SIGINT', 'SIGQUIT', 'SIGKILL'],
  immediate: ['SIGQUIT', 'SIGKILL'],
} as const satisfies Record<Shutdown, readonly NodeJS.Signals[]>;

/** Asks for a fast shutdown, and for an immediate one (safe: the log is replayed at the next start) where that hangs. */
export const endProcess = async (pid: number, shutdown: Shutdown = 'fast'): Promise<void> => {
  const start = processStart(pid);
  const isGone = (): boolean => start === null || processStart(pid) !== start;
  for (const signal of SIGNALS[shutdown]) {
    if (isGone()) return;
    process.kill(pid, signal);
    if (await waitUntil(isGone, STOP_TIMEOUT_MS)) return;
  }
  throw new LocalPostgresError(`The server with process number ${pid} does not stop: end it by hand.`);
};

/**
 * Ends the server that a killed parent left behind on this folder. A file whose process is gone is left to postgres,
 * which takes it over; one whose number has gone to another program would stop it, and is removed. Where nobody can tell,
 * the file stays: a server that lives must keep it, and postgres says itself what is wrong.
 */
export const endOrphan = async (data: string): Promise<void> => {
  const left = readPostmaster(data);
  if (left === null || processStart(left.pid) === null) return;
  const isServer = isServerOf(left.pid, data);
  if (isServer === true) await endProcess(left.pid);
  if (isServer === false) rmSync(join(data, 'postmaster.pid'), { force: true });
};
