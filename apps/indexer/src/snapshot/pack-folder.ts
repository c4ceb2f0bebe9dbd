import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writing } from '../files/write-whole.js';
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
  const part = `${path}.part`;
  try {
    await writing(
      part,
      async () => {
        await pipeline(archive(folder, names), createWriteStream(part, { flush: true }));
        await rename(part, path);
      },
      `packing needs as much space again as ${folder}, which is complete. Make room, then run the same command.`,
    );
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  await rm(folder, { recursive: true });
};
