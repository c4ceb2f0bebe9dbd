import { readFileSync } from 'node:fs';

/** The largest resident memory that a process ever had, in MiB; NaN where the system does not tell (Linux does). */
export const peakResidentMiB = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return NaN;
  }
};
