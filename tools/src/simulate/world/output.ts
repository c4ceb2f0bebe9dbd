import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';

/** Where the log of a program goes: to us, to a full disk, or into a full pipe that nobody reads. */
export type Output = 'read' | 'full disk' | 'unread';

export interface OpenOutput {
  readonly stdio: 'pipe' | number;
  /** Called when the program has ended. */
  readonly close: () => void;
}

/** Every write to it fails with ENOSPC. */
const FULL_DISK = '/dev/full';

/** Fills the pipe completely. */
const fill = (pipe: number): void => {
  for (const size of [65_536, 1]) {
    const bytes = Buffer.alloc(size, '\n');
    try {
      for (;;) writeSync(pipe, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
};

const openUnread = (path: string): OpenOutput => {
  rmSync(path, { force: true });
  const { status, stderr } = spawnSync('mkfifo', [path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot create a pipe at ${path}: ${stderr}`);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  fill(reader);
  const writer = openSync(path, constants.O_WRONLY);
  return { stdio: writer, close: () => [reader, writer].forEach(closeSync) };
};

/** `path`: where to create a pipe if one is needed. */
export const openOutput = (output: Output, path: string): OpenOutput => {
  if (output === 'read') return { stdio: 'pipe', close: () => undefined };
  if (output === 'unread') return openUnread(path);
  const disk = openSync(FULL_DISK, constants.O_WRONLY);
  return { stdio: disk, close: () => closeSync(disk) };
};
