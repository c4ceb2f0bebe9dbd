import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { wrongQuotations } from './quoted-tests.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.nx', '.data', 'reports', 'coverage']);

const filesUnder = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path, extension);
    return entry.name.endsWith(extension) ? [path] : [];
  });

describe('the documentation', () => {
  it('has every section of protocol.md that a comment refers to', () => {
    const headings = new Set([...read('docs/protocol.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title));
    const named = ['apps', 'libs', 'tools']
      .flatMap((folder) => filesUnder(folder, '.ts'))
      .map((path) => read(path).replace(/\n\s*(\*|\/\/) /g, ' '))
      .flatMap((text) => [...text.matchAll(/protocol\.md, "([A-Z][^"]+)"/g)].map(([, title]) => title));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((title) => !headings.has(title))).toEqual([]);
  });

  it('quotes in reliability.md only tests that exist', () => {
    const specs = ['apps', 'libs', 'tools'].flatMap((folder) => filesUnder(folder, 'spec.ts'));
    const texts = new Map(specs.map((path) => [path, read(path)]));
    const reliability = read('docs/reliability.md');
    expect(reliability.match(/\| shown by +\|/g)?.length).toBeGreaterThan(5);
    expect(wrongQuotations(reliability, texts)).toEqual([]);
  });

  it('links only to files that exist', () => {
    const broken = filesUnder('.', '.md').flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => join(path, '..', target ?? ''))
        .filter((target) => !filesAndFolders.has(target)),
    );
    expect(broken).toEqual([]);
  });
});

const filesAndFolders = new Set(
  filesUnder('.', '').flatMap((path) => {
    const parts = path.split('/');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  }),
);
