import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { TAR_END, tarHeader, tarPadding } from './tar.js';

async function* archive(folder: string, names: readonly string[]): AsyncGenerator<Buffer, void> {
  for (const name of names) {
    const { size } = await stat(join(folder, name));
    yield tarHeader(name, size);
    yield* createReadStream(join(folder, name)) as AsyncIterable<Buffer>;
    yield tarPadding(size);
  }
  yield TAR_END;
}

/** Turns a folder with these files into a tar archive, whose bytes they determine; the folder is gone then. */
export const packFolder = async (folder: string, names: readonly string[], path: string): Promise<void> => {
  await pipeline(archive(folder, names), createWriteStream(`${path}.part`, { flush: true }));
  await rename(`${path}.part`, path);
  await rm(folder, { recursive: true });
};
