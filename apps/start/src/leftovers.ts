import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart, waitUntil } from '@roundhouse/local-postgres';

/** A process is identified by its number and its start time, because numbers are reused. */
interface Started {
  readonly pid: number;
  readonly start: string | null;
}

const SHUTDOWN_MS = 10_000;
const fileIn = (folder: string): string => join(folder, 'processes.json');

const isAlive = ({ pid, start }: Started): boolean => start !== null && processStart(pid) === start;

const read = (folder: string): Started[] => {
  try {
    return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Started[];
  } catch {
    return [];
  }
};

/** Records an app for the next start, in case this launcher is killed. */
export const recordProcess = (folder: string, pid: number): void => {
  writeFileSync(fileIn(folder), JSON.stringify([...read(folder), { pid, start: processStart(pid) }]));
};

export const clearProcesses = (folder: string): void => rmSync(fileIn(folder), { force: true });

/** Waits until the apps of a killed launcher have stopped by themselves, and kills those that do not. */
export const endLeftovers = async (folder: string): Promise<void> => {
  const left = read(folder);
  const areGone = (): boolean => !left.some(isAlive);
  if (!(await waitUntil(areGone, SHUTDOWN_MS))) {
    for (const app of left.filter(isAlive)) process.kill(app.pid, 'SIGKILL');
    await waitUntil(areGone, SHUTDOWN_MS);
  }
  clearProcesses(folder);
};
