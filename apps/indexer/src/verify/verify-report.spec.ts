import { describe, expect, it } from '@jest/globals';
import type { IndexReport } from '@roundhouse/storage';
import { isSound, reportLines } from './verify-report.js';

const SOUND: IndexReport = {
  head: { height: 7, id: '77' },
  from: 0,
  badBlocks: [],
  strays: [],
  isBroken: false,
  tables: [],
  misplaced: [],
};
const differing = (table: string): IndexReport['tables'][number] => ({ table, total: 0, rows: [] });
const strays = [{ height: 9, problem: 'there are transactions, but no block' }];

const verdictOf = (found: Partial<IndexReport>): string | undefined =>
  reportLines({ ...SOUND, ...found }).at(-1);

describe('the verdict of a verification', () => {
  it.each<[Partial<IndexReport>, string]>([
    [{}, 'every derived table agrees with them'],
    [{ tables: [differing('accounts')] }, 'the derived tables do not agree with them'],
    [{ tables: [differing('network')] }, "the network's row does not agree with its configuration"],
    [{ strays }, 'there are rows that belong to none of them'],
    [
      { tables: [differing('network'), differing('accounts')], strays },
      "the derived tables do not agree with them, and the network's row does not agree with its configuration, " +
        'and there are rows that belong to none of them',
    ],
    [{ badBlocks: [{ height: 3, problem: 'its id is wrong' }] }, '1 of them contradict themselves'],
  ])('names only what was found: %j', (found, verdict) => {
    expect(verdictOf(found)).toBe(`Verified 7 blocks up to 77: ${verdict}.`);
    expect(isSound({ ...SOUND, ...found })).toBe(Object.keys(found).length === 0);
  });

  it('does not call an index empty that has rows of no block', () => {
    expect(verdictOf({ head: null })).toBe('The index is empty: there is nothing to verify.');
    expect(verdictOf({ head: null, strays })).toBe(
      'The index has no block from height 1 on, but rows that belong to one.',
    );
  });

  it('lists the heights of rows that belong to no block', () => {
    expect(reportLines({ ...SOUND, strays })[0]).toBe('height 9: there are transactions, but no block');
  });
});
