import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOwner } from '@roundhouse/local-postgres';

const PREFIX = 'roundhouse-test-';

/**
 * Removes folders whose process was killed before it could clean up. A folder that is being created has no lock yet
 * and is left alone.
 */
const removeAbandoned = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name);
    const isAbandoned =
      name.startsWith(PREFIX) && existsSync(join(folder, 'owner.json')) && folderOwner(folder) === null;
    // Another user's folder cannot be removed and need not be.
    if (isAbandoned) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
};

export const makeTestFolder = async (): Promise<string> => {
  await removeAbandoned();
  return mkdtemp(join(tmpdir(), PREFIX));
};
