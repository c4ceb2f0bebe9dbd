import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const foldersOf = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Each README and the folder whose subfolders it names. */
const maps = [
  ...['apps', 'libs'].flatMap((group) =>
    foldersOf(group).map((name) => [`${group}/${name}`, `${group}/${name}/src`] as const),
  ),
  ['tools', 'tools/src'] as const,
  ['tools/src/simulate', 'tools/src/simulate'] as const,
  ...['kubernetes', 'monitoring'].map((name) => [`deploy/${name}`, `deploy/${name}`] as const),
];

describe('the README of a project', () => {
  it.each(maps)(
    '%s lists every folder of %s, and no other, at the beginning of an item or a row',
    (home, folder) => {
      const text = readFileSync(`${root}${home}/README.md`, 'utf8');
      const starts = [...text.matchAll(/^(?:\| ([^|]*)\||- ([^:]*):)/gm)].map(
        ([, cell, item]) => cell ?? item ?? '',
      );
      const named = starts.flatMap((start) =>
        [...start.matchAll(/`([\w-]+)\//g)].map(([, room]) => room ?? ''),
      );
      expect([...new Set(named)].sort()).toEqual(foldersOf(folder).sort());
    },
  );
});
