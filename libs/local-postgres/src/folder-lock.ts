import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { FolderInUseError } from './local-postgres.error.js';
import { processStart } from './process-identity.js';

const NOTE_FILE = 'owner.json';
const LOCK_FILE = 'lock';

/** What a lock may leave in its folder. */
export const LOCK_FILES: readonly string[] = [NOTE_FILE, LOCK_FILE];

/** Names the process that holds the folder, for messages only: a killed process leaves it behind. */
interface Note {
  readonly pid: number;
  /** As returned by `processStart`. */
  readonly start: string;
}

export interface FolderLock {
  release(): void;
}

/** Releases the lock that `hold` returned. */
type Release = () => void;

/**
 * On Linux: an abstract socket name, which only one process can have at a time. It is made of the folder's device and
 * inode, so every path to the folder gives the same name.
 */
const holdName = (folder: string): Promise<Release | null> =>
  new Promise((resolve, reject) => {
    const { dev, ino } = statSync(folder);
    const holder = createServer((socket) => socket.destroy());
    holder.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    holder.listen(`\0roundhouse-folder-${dev}-${ino}`, () => resolve(() => holder.close()));
    holder.unref();
  });

/** macOS and the BSDs lock a file while it is open. */
const O_EXLOCK = 0x20;

const holdFile = (folder: string): Release | null => {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
  try {
    const file = openSync(join(folder, LOCK_FILE), O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
    return () => closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
};

/**
 * Takes the kernel's lock; null if another process has it. The kernel releases it when the process ends, however it
 * ends.
 */
const hold = async (folder: string): Promise<Release | null> =>
  process.platform === 'linux' ? holdName(folder) : holdFile(folder);

/** The process that holds the folder, according to its note, or null. */
export const folderOwner = (folder: string): number | null => {
  try {
    const { pid, start } = JSON.parse(readFileSync(join(folder, NOTE_FILE), 'utf8')) as Note;
    return processStart(pid) === start ? pid : null;
  } catch {
    return null;
  }
};

/**
 * Creates the folder if it is missing and locks it for this process, among all processes that share the kernel and,
 * on Linux, the network namespace. Throws `FolderInUseError`.
 */
export const lockFolder = async (folder: string): Promise<FolderLock> => {
  mkdirSync(folder, { recursive: true });
  const unlock = await hold(folder);
  if (unlock === null) throw new FolderInUseError(folder, folderOwner(folder));
  const note = join(folder, NOTE_FILE);
  try {
    const self: Note = { pid: process.pid, start: processStart(process.pid) ?? '' };
    writeFileSync(note, JSON.stringify(self));
  } catch (error) {
    unlock();
    throw error;
  }
  let isHeld = true;
  const release = (): void => {
    // A second call must not remove the note of the next holder.
    if (isHeld) rmSync(note, { force: true });
    if (isHeld) unlock();
    isHeld = false;
  };
  return { release };
};
