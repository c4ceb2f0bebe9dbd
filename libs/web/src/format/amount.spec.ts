import { describe, expect, it } from '@jest/globals';
import { amount, exactAmount, shortAmount } from './amount.js';

describe('an amount', () => {
  it.each([
    [0n, '0.00000000', '0'],
    [1n, '0.00000001', '< 0.01'],
    [-1n, '-0.00000001', '> -0.01'],
    [199_999_999n, '1.99999999', '1.99'],
    [200_000_000n, '2.00000000', '2'],
    [317_900_000n, '3.17900000', '3.17'],
    [999_999_999_999n, '9,999.99999999', '9,999.99'],
    [1_250_000_000_000n, '12,500.00000000', '12.5 k'],
    [13_092_005_600_000_001n, '130,920,056.00000001', '130.92 M'],
    [-13_092_005_600_000_001n, '-130,920,056.00000001', '-130.92 M'],
    [123_456_789_012_345_678_901n, '1,234,567,890,123.45678901', '1,234.56 B'],
  ])('%s arktoshi is %s, in short %s', (arktoshi, exact, short) => {
    expect([exactAmount(arktoshi), shortAmount(arktoshi)]).toEqual([exact, short]);
  });

  it('has all digits, the short form and the symbol in its markup, escaped', () => {
    const { text } = amount(13_092_005_600_000_001n, 'D<Ѧ');
    expect(text).toContain('value="13092005600000001"');
    expect(text).toContain('title="130,920,056.00000001 D&lt;Ѧ"');
    expect(text).toContain('<span class="short">130.92 M</span>');
    expect(text).toContain('<span class="exact">130,920,056.00000001</span');
    expect(text).not.toContain('D<Ѧ');
  });
});
