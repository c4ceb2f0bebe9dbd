import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = 'faketime/libfaketime.so.1';

/** The path of libfaketime on Debian, Fedora and others; null if it is not installed. */
export const findFakeTime = (): string | null => {
  const below = readdirSync('/usr/lib').map((name) => join('/usr/lib', name));
  const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib', ...below];
  return folders.map((folder) => join(folder, LIBRARY)).find(existsSync) ?? null;
};

/** The environment that sets a program's wall clock from the file, which is read each time. */
export const fakeTimeOf = (library: string, file: string): NodeJS.ProcessEnv => ({
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});
