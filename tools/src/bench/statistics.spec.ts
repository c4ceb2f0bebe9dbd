import { expect, it } from '@jest/globals';
import { median, quantile } from './statistics.js';

it('a quantile is one of the measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 50, 99, 100]);
  expect(quantile([7], 0.01)).toBe(7);
  expect(() => quantile([], 0.5)).toThrow(RangeError);
  expect(median([9, 1, 4])).toBe(4);
  expect(median([8, 1, 4, 2])).toBe(2);
});
