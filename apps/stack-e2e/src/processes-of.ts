import { readdirSync, readFileSync } from 'node:fs';

const procText = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** The ids of the live processes whose arguments or environment contain the folder. */
const pidsOf = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => (procText(pid, 'cmdline') + procText(pid, 'environ')).includes(folder));

const commandOf = (pid: string): string => procText(pid, 'cmdline').replaceAll('\0', ' ');

/** Their command lines. */
export const processesOf = (folder: string): string[] =>
  pidsOf(folder)
    .map(commandOf)
    .filter((command) => command !== '');

/** The one of them that runs a program. */
export const processOf = (folder: string, program: string): number => {
  const pids = pidsOf(folder).filter((pid) => commandOf(pid).includes(program));
  if (pids.length !== 1) throw new Error(`${pids.length} processes run ${program}.`);
  return Number(pids[0]);
};
