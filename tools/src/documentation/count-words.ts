/** As `wc -w` counts: marks of tables and lists are words, too. */
const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const CODE = /^(```+)[^\n]*\n.*?^\1$/gms;

const LONGEST_CELL = 200;

const longCellsIn = (text: string): string[] =>
  [...text.replaceAll(CODE, '').matchAll(/^\|(.*)\|$/gm)]
    .flatMap(([, row]) => row!.split(/(?<!\\)\|/))
    .map((cell) => cell.trim())
    .filter((cell) => cell.length > LONGEST_CELL && !/^-+$/.test(cell));

const lineFor = (path: string, limits: Readonly<Record<string, number>>): string | undefined =>
  Object.keys(limits)
    .filter((line) => line === path || (line.endsWith('/') && path.startsWith(line)))
    .sort((a, b) => b.length - a.length)[0];

/**
 * Compares the pages with the limits; returns one sentence for each mistake.
 * @param pages the text of each page, by path from the root
 * @param limits words by page, or by folder if the name ends with "/"
 * @param together the most that all limits may add up to
 */
export const tooManyWords = (
  pages: ReadonlyMap<string, string>,
  limits: Readonly<Record<string, number>>,
  together: number,
): string[] => {
  const counted = new Map(Object.keys(limits).map((line) => [line, { pages: 0, words: 0 }]));
  const mistakes: string[] = [];
  for (const [path, text] of pages) {
    const line = lineFor(path, limits);
    if (line === undefined) {
      mistakes.push(`${path} has no limit: add one to word-limits.ts`);
    } else {
      const count = counted.get(line)!;
      count.pages += 1;
      count.words += wordsIn(text);
    }
    for (const cell of longCellsIn(text))
      mistakes.push(
        `${path} has a table cell of ${cell.length} characters, more than ${LONGEST_CELL}: ${cell.slice(0, 40)}…`,
      );
  }
  for (const [line, count] of counted) {
    if (count.pages === 0) mistakes.push(`${line} in word-limits.ts is no page`);
    if (count.words > limits[line]!)
      mistakes.push(`${line} has ${count.words} words, more than ${limits[line]}: shorten it`);
  }
  const sum = Object.values(limits).reduce((total, limit) => total + limit, 0);
  if (sum > together) mistakes.push(`The limits add up to ${sum} words, more than ${together}`);
  return mistakes;
};
