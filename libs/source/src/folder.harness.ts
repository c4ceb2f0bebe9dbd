import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives each test of a suite a new folder. Returns the path of a file in it, or of the folder itself. */
export const newFolders = (): ((name?: string) => string) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roundhouse-source-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (name = '') => join(folder, name);
};
