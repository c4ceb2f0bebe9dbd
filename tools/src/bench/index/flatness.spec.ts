import { describe, expect, it } from '@jest/globals';
import { flatnessOf } from './flatness.js';

describe('flatness', () => {
  it('is 1 if blocks come evenly, no matter where the commits are', () => {
    const progress = [70, 410, 930, 1000].map((height) => ({ height, ms: height * 2 }));
    expect(flatnessOf(progress, 1000)).toBeCloseTo(1);
  });

  it('falls when the last tenth takes longer than the first', () => {
    const progress = [
      { height: 100, ms: 100 },
      { height: 900, ms: 1000 },
      { height: 1000, ms: 1200 },
    ];
    expect(flatnessOf(progress, 1000)).toBeCloseTo(0.5);
  });

  it('rejects a run that did not reach its end', () => {
    expect(() => flatnessOf([{ height: 500, ms: 1 }], 1000)).toThrow(RangeError);
  });
});
