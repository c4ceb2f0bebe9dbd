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

/** Tells others who holds the folder. It decides nothing: a killed process leaves it behind. */
interface Note {
  readonly pid: number;
  /** As `processStart` gives it. */
  readonly start: string;
}

export interface FolderLock {
  release(): void;
}

/** Ends what `hold` gave. */
type Release = () => void;

/** Linux: a name of the kernel's that one process has at a time, made of the folder's number and thus the same by every path. */
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
    const file = openSync(join(folder, 'lock'), O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
    return () => closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
};

/** The kernel gives it to one process and takes it back when that one ends, however it ends. Null where another has it. */
const hold = async (folder: string): Promise<Release | null> =>
  process.platform === 'linux' ? holdName(folder) : holdFile(folder);

/** The process that holds the folder now by its note, or null. */
export const folderOwner = (folder: string): number | null => {
  try {
    const { pid, start } = JSON.parse(readFileSync(join(folder, NOTE_FILE), 'utf8')) as Note;
    return processStart(pid) === start ? pid : null;
  } catch {
    return null;
  }
};

/**
 * Makes the folder where it is missing and holds it for this process, among all that share its kernel and, on Linux, its
 * network namespace. Throws `FolderInUseError`.
 */
export const lockFolder = async (folder: string): Promise<FolderLock> => {
  mkdirSync(folder, { recursive: true });
  const giveBack = await hold(folder);
  if (giveBack === null) throw new FolderInUseError(folder, folderOwner(folder));
  const note = join(folder, NOTE_FILE);
  try {
    const self: Note = { pid: process.pid, start: processStart(process.pid) ?? '' };
    writeFileSync(note, JSON.stringify(self));
  } catch (error) {
    giveBack();
    throw error;
  }
  let isHeld = true;
  const release = (): void => {
    // A second call would take the next holder's note away.
    if (isHeld) rmSync(note, { force: true });
    if (isHeld) giveBack();
    isHeld = false;
  };
  return { release };
};
