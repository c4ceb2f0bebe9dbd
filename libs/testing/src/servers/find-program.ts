import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian installs some servers outside the PATH of ordinary users. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of a program of this machine, or null. */
export const findProgram = (name: string): string | null => {
  const isExecutable = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable) ?? null;
};
