import { describe, expect, it } from '@jest/globals';
import { BASE, TOP } from './columns.js';
import { levelOfRank, levelsOfAmounts, runsOf } from './line.js';

describe('the level of an amount', () => {
  it('is its place between the smallest and the largest, also beyond 2^53', () => {
    const base = 10n ** 24n;
    expect(levelsOfAmounts([base + 1n, base, base + 4n])).toEqual([0.25, 0, 1]);
  });

  it('is the middle if all are equal, or if there is only one', () => {
    expect([levelsOfAmounts([7n, 7n]), levelsOfAmounts([0n]), levelsOfAmounts([])]).toEqual([
      [0.5, 0.5],
      [0.5],
      [],
    ]);
  });
});

it('rank 1 is at the top, the lowest rank at the bottom', () => {
  expect([1, 26, 51].map((rank) => levelOfRank(rank, 51))).toEqual([1, 0.5, 0]);
  expect(levelOfRank(1, 1)).toBe(1);
});

describe('a line', () => {
  it('goes from left to right, higher for higher levels', () => {
    const [run, ...others] = runsOf([0, 0.5, 1]);
    expect(others).toEqual([]);
    const [xs, ys] = [run!.map(([x]) => x), run!.map(([, y]) => y)];
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(xs[1]! - xs[0]!).toBe(xs[2]! - xs[1]!);
    expect(ys).toEqual([BASE, (BASE + TOP) / 2, TOP]);
  });

  it('has a gap where there is no level, and no line across it', () => {
    const all = runsOf([0, 0, 0, 0, 0, 0])[0]!;
    expect(runsOf([null, 0, 0, null, 0, null])).toEqual([[all[1], all[2]], [all[4]]]);
    expect([runsOf([null, null]), runsOf([])]).toEqual([[], []]);
  });
});
