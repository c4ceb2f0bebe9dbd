import { rename, writeFile } from 'node:fs/promises';

/** Writes a text to a file, which has all of it or is as before. Throws what the file system throws. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  await writeFile(`${path}.partial`, text, { flush: true });
  await rename(`${path}.partial`, path);
};
