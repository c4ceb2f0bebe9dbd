import { wrongQuotations } from './quoted-tests.js';

const SPECS = new Map([
  [
    'libs/a/src/head.spec.ts',
    String.raw`
      it('moves the head', () => {});
      it('keeps a node\'s "last" word', () => {});
      it.each(['a'])('refuses %s: %i, and names the path', () => {});
      describe.each(LINES)(${'`with ${line} of two`'}, () => {});`,
  ],
  ['apps/b/src/forks.int-spec.ts', `it('follows a fork', () => {});`],
  ['apps/b/src/twice.spec.ts', ''],
  ['apps/c/src/twice.spec.ts', ''],
]);

const wrongIn = (cell: string): string[] =>
  wrongQuotations(
    `| fault | what happens | shown by |\n| --- | --- | --- |\n| a "fault" | a "result" | ${cell} |\n\ntext\n`,
    SPECS,
  );

describe('wrongQuotations', () => {
  it.each([
    '`libs/a/src/head.spec.ts` "moves the head"',
    '`forks.int-spec.ts` "follows a fork" (both), `head.spec.ts` "moves the head"; `npm run fuzz`',
    '`head.spec.ts` "moves …", "… head"',
    '`head.spec.ts` "keeps a node\'s "last" word"',
    '`head.spec.ts` "refuses %s: %i, and names the path", "refuses %s: …", "with %s of two"',
    'not tested',
  ])('takes %s', (cell) => {
    expect(wrongIn(cell)).toEqual([]);
  });

  it.each([
    ['`head.spec.ts` "moves the tail"', 'libs/a/src/head.spec.ts has no test "moves the tail"'],
    ['`head.spec.ts` "moves … tail"', 'libs/a/src/head.spec.ts has no test "moves … tail"'],
    ['`head.spec.ts` "refuses all: %i"', 'libs/a/src/head.spec.ts has no test "refuses all: %i"'],
    [
      '`head.spec.ts`; `forks.int-spec.ts` "moves the head"',
      'apps/b/src/forks.int-spec.ts has no test "moves the head"',
    ],
    ['`gone.spec.ts`', 'gone.spec.ts stands for 0 files'],
    ['`twice.spec.ts`', 'twice.spec.ts stands for 2 files'],
    ['"moves the head"', '"moves the head" has no file'],
    ['`head.spec.ts` "moves the head', 'a name without an end: `head.spec.ts` "moves the head'],
  ])('refuses %s', (cell, message) => {
    expect(wrongIn(cell)).toEqual([message]);
  });

  it('reads every row of every table', () => {
    const table =
      '| fault | shown by |\n| ----- | -------- |\n| a | `gone.spec.ts` |\n| b | `gone.spec.ts` |\n';
    expect(wrongQuotations(`${table}\ntext\n\n${table}`, SPECS)).toHaveLength(4);
  });
});
