import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@roundhouse/config';
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
    await pipeline(archive(folder, names), createWriteStream(part, { flush: true }));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw new OperatorError(
      `${part} cannot be written (${(error as Error).message}): packing needs as much space again as ${folder}, which is complete. ` +
        `Make room, then run the same command.`,
      { cause: error },
    );
  }
  await rm(folder, { recursive: true });
};
