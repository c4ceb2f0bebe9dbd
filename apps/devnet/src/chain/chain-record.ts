import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { DevnetError } from '../devnet.error.js';

const schema = z.object({
  seed: z.string(),
  blockTime: z.number().int().positive(),
  epoch: z.iso.datetime(),
});

/** What a restart needs to know about a chain and cannot read from its blocks. */
export type ChainRecord = z.infer<typeof schema>;

const findText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Null if there is no record. Throws `DevnetError` if the file is invalid. */
export const readRecord = (path: string): ChainRecord | null => {
  const text = findText(path);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DevnetError(`${path} cannot be read. Remove its folder to begin a new chain.`, {
      cause,
    });
  }
};

/** Writes the record atomically. */
export const writeRecord = (path: string, record: ChainRecord): void => {
  writeFileSync(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(`${path}.new`, path);
};
