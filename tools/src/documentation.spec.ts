import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wrongQuotations } from './quoted-tests.js';
import { CI_SEEDS } from './simulate/ci-seeds.js';
import { makePlan } from './simulate/plan/plan.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.nx', '.data', 'reports', 'coverage']);

const filesUnder = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path, extension);
    return entry.name.endsWith(extension) ? [path] : [];
  });

/** The number of files on a path, as the text states it. */
const STATED_FILES = /\b(\d+)(?: of our)? files\b/;

/** The files that tables name: a folder in one column, its files in the next, where `{a,b}` stands for two of them. */
const filesIn = (section: string): string[] =>
  [...section.matchAll(/\| `((?:apps|libs)\/[^`]+)` +\|([^|]+)\|$/gm)].flatMap(([, folder, cell]) =>
    [...cell!.matchAll(/`([^`{]+)(?:\{([^}]+)\})?`/g)].flatMap(([, start, ends = '']) =>
      ends.split(',').map((end) => `${folder}/${start}${end}.ts`),
    ),
  );

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

  it('mentions in reliability.md only disturbances that the seeds of CI have', () => {
    const named = [
      ...read('docs/reliability.md').matchAll(/npm run simulate -- --ci`: (`[^`]+`(?:, `[^`]+`)*)/g),
    ].flatMap(([, list]) => [...list!.matchAll(/`([^`]+)`/g)].map(([, words]) => words!));
    const lines = CI_SEEDS.flatMap(({ seed, blocks }) =>
      makePlan(seed, blocks, true).steps.flatMap(({ disturbances }) => disturbances.map(({ line }) => line)),
    );
    expect(named.length).toBeGreaterThan(5);
    const wrong = named.filter((words) => !lines.some((line) => line.includes(words)));
    expect(wrong).toEqual([]);
  });

  it('lists in the paths of architecture.md only files that exist, and states their number correctly', () => {
    const paths = read('docs/architecture.md')
      .split(/^#+ /m)
      .filter((section) => STATED_FILES.test(section))
      .map((section) => ({ stated: Number(STATED_FILES.exec(section)![1]), files: filesIn(section) }));
    expect(paths).toHaveLength(3);
    for (const { stated, files } of paths) {
      expect(files.filter((file) => !filesAndFolders.has(file))).toEqual([]);
      expect(new Set(files).size).toBe(stated);
      expect(files).toHaveLength(stated);
    }
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
