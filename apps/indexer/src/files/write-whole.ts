import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sha256As } from '@roundhouse/chain';
import { writing } from './access.js';

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

export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes what `fill` passes on to a file, whose folder it makes; if that throws, there is no file. Throws `OperatorError`. */
export const writeHashed = async (
  path: string,
  fill: (add: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<FileSum> => {
  const hash = createHash('sha256');
  let bytes = 0;
  await writing(path, () => mkdir(dirname(path), { recursive: true }));
  const file = await writing(path, () => open(path, 'w'));
  try {
    await fill(async (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
      await writing(path, () => file.appendFile(chunk));
    });
    await writing(path, () => file.sync());
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
};

/** The same for a file that has its name only when it is complete. */
export const writeHashedWhole = async (
  path: string,
  fill: Parameters<typeof writeHashed>[1],
): Promise<FileSum> => {
  const sum = await writeHashed(`${path}${PARTIAL}`, fill);
  await writing(path, () => rename(`${path}${PARTIAL}`, path));
  return sum;
};

export const sha256Of = (text: string): string => sha256As('hex', text);

/** The text of a file that `sha256sum -c` reads. */
export const checksumList = (files: readonly { readonly name: string; readonly sha256: string }[]): string =>
  files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
