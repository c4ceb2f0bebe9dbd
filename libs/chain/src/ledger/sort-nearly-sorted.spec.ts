import { sortNearlySorted } from './sort-nearly-sorted.js';

const byValue = (a: number, b: number): number => a - b;

const counted = (list: number[]): { sorted: number[]; comparisons: number } => {
  let comparisons = 0;
  sortNearlySorted(list, (a, b) => {
    comparisons += 1;
    return byValue(a, b);
  });
  return { sorted: list, comparisons };
};

const ascending = Array.from({ length: 300 }, (_, index) => index);

describe('sorting a nearly sorted list', () => {
  it('sorts any list like Array.sort', () => {
    for (const list of [
      [],
      [1],
      [2, 1],
      ascending.toReversed(),
      ascending.map((each) => (each * 7919) % 300),
    ]) {
      expect(counted([...list]).sorted).toEqual(list.toSorted(byValue));
    }
  });

  it('needs little more than one comparison per entry if two entries are swapped', () => {
    const list = [...ascending];
    [list[100], list[103]] = [list[103]!, list[100]!];
    expect(counted(list)).toEqual({ sorted: ascending, comparisons: expect.any(Number) });
    [list[100], list[103]] = [list[103], list[100]];
    expect(counted(list).comparisons).toBeLessThan(320);
  });
});
