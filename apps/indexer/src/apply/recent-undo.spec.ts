import { describe, expect, it } from '@jest/globals';
import type { UndoRecords } from '@roundhouse/chain';
import { RecentUndo } from './recent-undo.js';

const account = { address: 'A', publicKey: null, balance: 0n, locked: 0n, vote: null, existed: true };
const sums = { accounts: '', delegates: '', locks: '' };

/** The records of the blocks from `from` to `to`: two rows each, and the sums below each. */
const recordsOf = (from: number, to: number): UndoRecords => {
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return {
    undo: heights.map((height) => ({ height, accounts: [account, account], delegates: [], locks: [] })),
    sums: heights.map((height) => ({ height: height - 1, id: String(height - 1), ...sums })),
  };
};

const heightsOf = (list: readonly { readonly height: number }[]): number[] =>
  list.map(({ height }) => height);

describe('undo records of a batch', () => {
  let written: UndoRecords[];
  const open = (undoDepth: number, mostHeldRows = 1_000): RecentUndo => {
    written = [];
    return new RecentUndo(undoDepth, (records) => written.push(records), mostHeldRows);
  };
  const undone = (): number[] => heightsOf(written.flatMap(({ undo }) => undo));

  it('are written for the newest blocks alone, with the sums of the block below them', () => {
    const recent = open(25);
    for (let from = 1; from <= 91; from += 10) recent.add(recordsOf(from, from + 9), from + 9);
    expect(written).toEqual([]);
    recent.flush(100);
    expect(undone()).toEqual(heightsOf(recordsOf(76, 100).undo));
    expect(heightsOf(written.flatMap((records) => records.sums))).toEqual(heightsOf(recordsOf(76, 100).sums));
  });

  it('are written early where they are too many to be held, and none is lost', () => {
    const recent = open(100, 40);
    for (let from = 1; from <= 91; from += 10) recent.add(recordsOf(from, from + 9), from + 9);
    expect(written).toHaveLength(8);
    recent.flush(100);
    expect(undone()).toEqual(heightsOf(recordsOf(1, 100).undo));
  });

  it('are written once', () => {
    const recent = open(10);
    recent.add(recordsOf(1, 5), 5);
    recent.flush(5);
    recent.flush(5);
    expect(undone()).toEqual([1, 2, 3, 4, 5]);
  });
});
