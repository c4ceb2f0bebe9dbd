import { describe, expect, it } from '@jest/globals';
import { parseMoment } from './moment.js';
import { statementCsvLine, type StatementEntry } from './statement.js';

const ENTRY: StatementEntry = {
  time: '2026-01-31T12:00:00.000Z',
  height: 9,
  transactionId: 'ab',
  kind: 'sent',
  counterparty: 'AbfQq8iRSf9TFQRzQWo33dHYU7HFMS17Zd',
  amount: -5n,
  fee: -1n,
  balance: 2n ** 60n,
};

describe('a line of a statement', () => {
  it('has every digit', () => {
    expect(statementCsvLine(ENTRY)).toBe(
      '2026-01-31T12:00:00.000Z,9,ab,sent,AbfQq8iRSf9TFQRzQWo33dHYU7HFMS17Zd,-5,-1,1152921504606846976',
    );
  });

  it.each([
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['+1,2', `"'+1,2"`],
    ['a\nb', `"'a\nb"`],
  ])('has the recipient %j of an unknown type as text', (counterparty, cell) => {
    expect(statementCsvLine({ ...ENTRY, counterparty })).toContain(`,sent,${cell},-5,`);
  });
});

describe('a moment', () => {
  it.each([
    ['7', { height: 7 }],
    ['1970-01-02', { first: 86_400, last: 172_799 }],
    ['1970-01-01T00:00:09Z', { first: 9, last: 9 }],
  ])('%s is understood', (text, expected) => {
    expect(parseMoment(text)).toEqual(expected);
  });

  it.each(['', '0', '-1', '2026-02-30', '2026-13-01', '2026-01-31T25:00:00Z', '2026-01-31T12:00:00', '1e3'])(
    '%j is none',
    (text) => {
      expect(parseMoment(text)).toBeNull();
    },
  );
});
