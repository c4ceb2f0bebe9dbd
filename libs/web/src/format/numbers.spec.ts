import { describe, expect, it } from '@jest/globals';
import { basisPoints, counted, formatBasisPoints, formatWhole } from './numbers.js';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [-1234567, '-1,234,567'],
    [18_446_744_073_709_551_615n, '18,446,744,073,709,551,615'],
  ])('%s is written %s', (value, text) => expect(formatWhole(value)).toBe(text));

  it.each([
    [0, '0.00 %'],
    [5, '0.05 %'],
    [187, '1.87 %'],
    [10_000, '100.00 %'],
  ])('%i hundredths are %s', (hundredths, text) => expect(formatBasisPoints(hundredths)).toBe(text));

  it('computes shares of amounts beyond 2^53 exactly', () => {
    expect(basisPoints(13_092_005_600_000_000n, 13_092_005_600_000_001n)).toBe(9999);
    expect(basisPoints(1n, 0n)).toBeNull();
  });

  it('uses singular and plural', () => {
    expect([counted(1, 'block'), counted(2000, 'block')]).toEqual(['1 block', '2,000 blocks']);
  });
});
