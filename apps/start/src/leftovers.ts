import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart, waitUntil } from '@roundhouse/local-postgres';

/** A process is identified by its number and its start time, because numbers are reused. */
interface Started {
  readonly pid: number;
  readonly start: string | null;
}

/** A guard kills its app after 10 s. */
const SHUTDOWN_MS = 20_000;
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

/** Waits until the guards of a killed launcher's apps have ended them. */
export const endLeftovers = async (folder: string): Promise<void> => {
  const left = read(folder);
  await waitUntil(() => !left.some(isAlive), SHUTDOWN_MS);
  clearProcesses(folder);
};
