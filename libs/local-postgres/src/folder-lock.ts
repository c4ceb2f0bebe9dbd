import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUseError } from './local-postgres.error.js';
import { processStart } from './process-identity.js';

const LOCK_FILE = 'owner.json';

interface Owner {
  readonly pid: number;
  /** As `processStart` gives it. */
  readonly start: string;
}

export interface FolderLock {
  release(): void;
}

const readOwner = (file: string): Owner | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return null;
  }
};

const tryToWrite = (file: string, owner: Owner): boolean => {
  try {
    writeFileSync(file, JSON.stringify(owner), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** The process that holds the folder now, or null. The lock of a killed process holds nothing. */
export const folderOwner = (folder: string): number | null => {
  const owner = readOwner(join(folder, LOCK_FILE));
  return owner !== null && processStart(owner.pid) === owner.start ? owner.pid : null;
};

/** Makes the folder where it is missing and holds it for this process. Throws `FolderInUseError`. */
export const lockFolder = (folder: string): FolderLock => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, LOCK_FILE);
  const self: Owner = { pid: process.pid, start: processStart(process.pid) ?? '' };
  if (!tryToWrite(file, self)) {
    const holder = folderOwner(folder);
    if (holder !== null) throw new FolderInUseError(folder, holder);
    rmSync(file, { force: true });
    if (!tryToWrite(file, self)) throw new FolderInUseError(folder, folderOwner(folder) ?? 0);
  }
  return { release: () => rmSync(file, { force: true }) };
};
