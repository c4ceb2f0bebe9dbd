import { join } from 'node:path';
import { CI_SEEDS } from '../simulate/ci-seeds.js';
import { makePlan } from '../simulate/plan/plan.js';
import { filesUnder, read, readPages } from './pages.js';

/** The number of files on a path, as the text states it. */
const STATED_FILES = /\b(\d+)(?: source)? files\b/;

/** The files that tables name: a folder in one column, its files in the next, where `{a,b}` stands for two of them. */
const filesIn = (section: string): string[] =>
  [...section.matchAll(/\| `((?:apps|libs)\/[^`]+)` +\|([^|]+)\|$/gm)].flatMap(([, folder, cell]) =>
    [...cell!.matchAll(/`([^`{]+)(?:\{([^}]+)\})?`/g)].flatMap(([, start, ends = '']) =>
      ends.split(',').map((end) => `${folder}/${start}${end}.ts`),
    ),
  );

describe('the documentation', () => {
  it('has every section that code, manifests and alerts refer to', () => {
    const texts = ['.ts', '.yml', '.yaml'].flatMap((extension) =>
      ['apps', 'libs', 'tools', 'deploy'].flatMap((folder) => filesUnder(folder, extension)).map(read),
    );
    const named = texts
      .map((text) => text.replaceAll(/['"`]? \+\n\s*['"`]|\n\s*(?:\*|\/\/|#) /g, ' '))
      .flatMap((text) => [...text.matchAll(/\b([\w/-]+\.md), "([A-Z][^"]+)"/g)])
      .map(([, page, title]) => [page!, title!] as const);
    expect(new Set(named.map(([page]) => page)).size).toBeGreaterThan(3);
    const pages = readPages();
    const wrong = named.filter(([page, title]) => {
      const [text = ''] = [pages.get(page), pages.get(`docs/${page}`)].filter((found) => found !== undefined);
      return !text.split('\n').some((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title);
    });
    expect(wrong).toEqual([]);
  });

  it('links each fault of reliability.md to a test', () => {
    const [, faults] = /^(## Forks\n.*?)^## All together$/ms.exec(read('docs/reliability.md'))!;
    const lines = [...faults!.matchAll(/^- .+$/gm)].map(([line]) => line);
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => !/\]\([^)]+spec\.ts\)/.test(line))).toEqual([]);
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
    const broken = [...readPages()].flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => join(path, '..', target ?? ''))
        .filter((target) => !filesAndFolders.has(target)),
    );
    expect(broken).toEqual([]);
  });

  it('links only to sections that exist', () => {
    const pages = readPages();
    const broken = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
        .map(([, page, anchor]) => [page === '' ? path : join(path, '..', page!), anchor!] as const)
        .filter(([page, anchor]) => !anchorsOf(pages.get(page) ?? '').has(anchor))
        .map(([page, anchor]) => `${path}: ${page}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });
});

/** As GitHub makes them from headings, and those that a page sets itself. */
const anchorsOf = (markdown: string): Set<string> =>
  new Set([
    ...[...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
    ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!),
  ]);

const filesAndFolders = new Set(
  filesUnder('.', '').flatMap((path) => {
    const parts = path.split('/');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  }),
);
