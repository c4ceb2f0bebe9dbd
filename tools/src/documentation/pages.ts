import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.nx', '.data', 'reports', 'coverage']);

/** The files below a folder of the workspace whose names end so, by path from the root. */
export const filesUnder = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path, extension);
    return entry.name.endsWith(extension) ? [path] : [];
  });

/** The text of each page of documentation, by path from the root. */
export const readPages = (): Map<string, string> =>
  new Map(filesUnder('.', '.md').map((path) => [path, read(path)]));
