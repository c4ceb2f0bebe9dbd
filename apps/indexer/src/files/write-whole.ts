import { rename, rm, writeFile } from 'node:fs/promises';

export const PARTIAL = '.partial';

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes texts to files, each of which has all of its text or is as before. The files change directly one after the other, when
 * all texts are on the disk. Throws what the file system throws.
 */
export const writeTogether = async (files: readonly TextFile[]): Promise<void> => {
  const partials = files.map(({ path, text }) => ({ path, text, partial: `${path}${PARTIAL}` }));
  try {
    for (const { partial, text } of partials) await writeFile(partial, text, { flush: true });
    for (const { partial, path } of partials) await rename(partial, path);
  } catch (error) {
    for (const { partial } of partials) await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
};

/** Writes a text to a file, which has all of it or is as before. Throws what the file system throws. */
export const writeWhole = (path: string, text: string): Promise<void> => writeTogether([{ path, text }]);
