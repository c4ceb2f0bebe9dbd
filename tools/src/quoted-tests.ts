import { posix } from 'node:path';

/**
 * A spec file, or a test name in quotation marks. Names may contain quotation marks: the closing mark is the first one
 * before a comma, a semicolon, an opening bracket or the end.
 */
const FILE_OR_NAME = /(?<file>[\w./-]*spec\.ts)|"(?<name>.+?)"(?=\s*(?:[,;(]|$))/g;

const PLACEHOLDER = /%[a-z]|\$\w+/;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches a line with the name. "…" matches anything, a placeholder matches any placeholder. */
const lineWith = (name: string): RegExp =>
  new RegExp(
    name
      .split('…')
      .map((part) =>
        part
          .trim()
          .split(PLACEHOLDER)
          .map(escaped)
          .join(String.raw`(?:%[a-z]|\$\w+|\$\{[^}]+\})`),
      )
      .join('.*'),
  );

/** The last cells of the tables that have "shown by" as their last heading. */
const shownByCells = (markdown: string): string[] =>
  [...markdown.matchAll(/^\|.*\|[^\S\n]*shown by[^\S\n]*\|\n\|[-| ]+\|\n((?:\|.*\n?)*)/gm)]
    .flatMap(([, rows]) => rows!.trim().split('\n'))
    .map((row) =>
      row
        .replace(/\|\s*$/, '')
        .split('|')
        .at(-1)!
        .trim(),
    );

/**
 * Checks the test names in the "shown by" cells of `markdown`; returns one sentence per mistake. A name belongs to the
 * last file before it in its cell. A file name without a path stands for the only spec file of that name.
 * @param specs the text of each spec file, by path from the project's root
 */
export const wrongQuotations = (markdown: string, specs: ReadonlyMap<string, string>): string[] =>
  shownByCells(markdown).flatMap((cell) => {
    const wrong: string[] = [];
    let spec: string | undefined;
    for (const { groups } of cell.matchAll(FILE_OR_NAME)) {
      const { file, name } = groups!;
      if (file !== undefined) {
        const paths = [...specs.keys()].filter((path) => path === file || posix.basename(path) === file);
        spec = paths.length === 1 ? paths[0] : undefined;
        if (spec === undefined) wrong.push(`${file} stands for ${paths.length} files`);
      } else if (spec === undefined) {
        wrong.push(`"${name}" has no file`);
      } else if (!lineWith(name!).test(specs.get(spec)!.replaceAll(/\\(['"`])/g, '$1'))) {
        wrong.push(`${spec} has no test "${name}"`);
      }
    }
    if (cell.replaceAll(FILE_OR_NAME, '').includes('"')) wrong.push(`a name without an end: ${cell}`);
    return wrong;
  });
