import { describe, expect, it, jest } from '@jest/globals';
import { escaped, linesOf, print, printError } from './print.js';

const CLEAR = '\u001b[2J';

const printed = (stream: 'log' | 'error', work: () => void): string[] => {
  const spy = jest.spyOn(console, stream).mockImplementation(() => undefined);
  try {
    work();
    return spy.mock.calls.map(([text]) => String(text));
  } finally {
    spy.mockRestore();
  }
};

describe('what is printed', () => {
  it.each([
    [`name${CLEAR}`, 'name\\u001b[2J'],
    ['no\nproblem     none', 'no\\u000aproblem     none'],
    ['a\rb\tc\u0007\u007f', 'a\\u000db\\u0009c\\u0007\\u007f'],
    ['\u009b31m\u0085', '\\u009b31m\\u0085'],
    ['\u2028\u2029\u202e\u2066', '\\u2028\\u2029\\u202e\\u2066'],
    ['\ufeff{\u200b\u2060', '\\ufeff{\\u200b\\u2060'],
    ['Ѧ → ü 漢 …', 'Ѧ → ü 漢 …'],
  ])('shows %j as %j', (text, shown) => {
    expect(escaped(text)).toBe(shown);
  });

  it('has one line for each text', () => {
    expect(printed('log', () => print('one\ntwo', 'three'))).toEqual(['one\\u000atwo', 'three']);
    expect(printed('error', () => printError(`${CLEAR}!`))).toEqual(['\\u001b[2J!']);
  });

  it('has the sentence of an error with a code as one line, and the stack of any other', () => {
    const known = Object.assign(new Error('Do this.\nusable      yes'), { code: 'OPERATOR' });
    expect(linesOf(known)).toEqual([known.message]);
    expect(linesOf(new Error('a bug'))[0]).toBe('Error: a bug');
    expect(linesOf(new Error('a bug')).length).toBeGreaterThan(1);
  });
});
