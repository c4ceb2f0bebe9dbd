import { readFileSync } from 'node:fs';

/** The peak resident memory of a process in MiB; NaN if the system does not report it (Linux does). */
export const peakResidentMiB = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return NaN;
  }
};
