import { closeSync, openSync } from 'node:fs';
import { BlockedPipe } from '@roundhouse/testing';

/** Where the log of a program goes: to us, to a full disk, or into a full pipe that nobody reads. */
export type Output = 'read' | 'full disk' | 'unread';

export interface OpenOutput {
  /** Absent if we read the log. */
  readonly descriptor?: number;
  /** Called when the program has ended. */
  readonly close: () => void;
}

/** Every write to it fails with ENOSPC. */
const FULL_DISK = '/dev/full';

export const openOutput = (output: Output): OpenOutput => {
  if (output === 'read') return { close: () => undefined };
  if (output === 'unread') {
    const pipe = new BlockedPipe();
    return { descriptor: pipe.descriptor, close: () => pipe.close() };
  }
  const descriptor = openSync(FULL_DISK, 'w');
  return { descriptor, close: () => closeSync(descriptor) };
};
