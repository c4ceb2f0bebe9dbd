import { tooManyWords } from './count-words.js';

const pages = (texts: Record<string, string>): Map<string, string> => new Map(Object.entries(texts));

describe('the limit of words', () => {
  it.each<[string, Record<string, string>, Record<string, number>, string[]]>([
    ['takes a page that has as many words as it may have', { 'a.md': '# One two' }, { 'a.md': 3 }, []],
    [
      'names a page that has more',
      { 'a.md': 'one\ntwo  three' },
      { 'a.md': 2 },
      ['a.md has 3 words, more than 2: shorten it'],
    ],
    [
      'adds up the pages of a folder',
      { 'docs/b/a.md': 'one two', 'docs/b/c/d.md': 'three' },
      { 'docs/b/': 2 },
      ['docs/b/ has 3 words, more than 2: shorten it'],
    ],
    [
      'counts a page with a limit of its own, or in a nearer folder, there only',
      { 'docs/a.md': 'one', 'docs/b/a.md': 'one two', 'docs/b/c.md': 'one two three' },
      { 'docs/': 1, 'docs/b/': 2, 'docs/b/c.md': 3 },
      [],
    ],
    [
      'names a page without a limit',
      { 'a.md': '', 'docs/a.md': '' },
      { 'a.md': 0 },
      ['docs/a.md has no limit: add one to word-limits.ts'],
    ],
    [
      'names a limit without a page',
      {},
      { 'a.md': 0, 'docs/': 0 },
      ['a.md in word-limits.ts is no page', 'docs/ in word-limits.ts is no page'],
    ],
  ])('%s', (_, texts, limits, mistakes) => {
    expect(tooManyWords(pages(texts), limits, 100)).toEqual(mistakes);
  });

  it('limits all limits together', () => {
    const texts = pages({ 'a.md': '', 'b.md': '' });
    expect(tooManyWords(texts, { 'a.md': 50, 'b.md': 50 }, 100)).toEqual([]);
    expect(tooManyWords(texts, { 'a.md': 50, 'b.md': 51 }, 100)).toEqual([
      'The limits add up to 101 words, more than 100',
    ]);
  });
});

describe('the limit of table cells', () => {
  const cell = (length: number): string => 'x'.repeat(length);
  const mistakesIn = (text: string): string[] => tooManyWords(pages({ 'a.md': text }), { 'a.md': 99 }, 99);

  it('takes cells of 200 characters, and names longer ones', () => {
    const table = `| a | b |\n| --- | --- |\n| ${cell(200)} | ${cell(201)} |\n`;
    expect(mistakesIn(table)).toEqual([
      `a.md has a table cell of 201 characters, more than 200: ${cell(40)}…`,
    ]);
  });

  it('knows an escaped bar from the end of a cell', () => {
    expect(mistakesIn(String.raw`| ${cell(120)} \| ${cell(120)} |`)).toHaveLength(1);
    expect(mistakesIn(`| ${cell(120)} | ${cell(120)} |`)).toEqual([]);
  });

  it('takes the line below the headings at any width', () => {
    expect(mistakesIn(`| a |\n| ${'-'.repeat(300)} |\n`)).toEqual([]);
  });

  it('does not look into code', () => {
    expect(mistakesIn(`\`\`\`text\n| ${cell(300)} |\n\`\`\`\n`)).toEqual([]);
    expect(mistakesIn(`\`\`\`text\n\`\`\`\n| ${cell(300)} |\n`)).toHaveLength(1);
  });
});
