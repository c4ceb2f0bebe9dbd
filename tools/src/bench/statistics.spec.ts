import { describe, expect, it } from '@jest/globals';
import { median, quantile, rounded } from './statistics.js';

describe('the statistics of a benchmark', () => {
  it('the median of an even number of runs lies between the two in the middle', () => {
    expect(median([9, 1, 4])).toBe(4);
    expect(median([8, 1, 4, 2])).toBe(3);
  });

  it('a quantile is one of the measured values', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantile(values, 0.5)).toBe(50);
    expect(quantile(values, 0.99)).toBe(99);
    expect(quantile([7], 0.01)).toBe(7);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });

  it('rounds for display', () => {
    expect(rounded(0.51678, 3)).toBe(0.517);
  });
});
