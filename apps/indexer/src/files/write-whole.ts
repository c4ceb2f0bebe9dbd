import { rename, rm, writeFile } from 'node:fs/promises';

export const PARTIAL = '.partial';

/** Writes a text to a file, which has all of it or is as before. Throws what the file system throws. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const partial = `${path}${PARTIAL}`;
  try {
    await writeFile(partial, text, { flush: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
};
