import { RangeSizer } from './range-sizer.js';

const afterMany = (msPerBlock: number, bytesPerBlock: number): RangeSizer => {
  const sizer = new RangeSizer();
  for (let round = 0; round < 20; round += 1) {
    const blocks = sizer.rangeBlocks;
    sizer.observe({ blocks, bytes: blocks * bytesPerBlock, durationMs: blocks * msPerBlock });
  }
  return sizer;
};

describe('RangeSizer', () => {
  it('grows to the largest range if the source is fast', () => {
    expect(afterMany(0.01, 100).rangeBlocks).toBe(2_000);
  });

  it('settles at ranges that take about a second', () => {
    expect(afterMany(10, 100).rangeBlocks).toBe(100);
    expect(afterMany(4, 100).rangeBlocks).toBe(250);
  });

  it('shrinks if blocks are large', () => {
    expect(afterMany(0.01, 50_000).rangeBlocks).toBe(21);
  });

  it('never falls below the smallest range, and at most doubles or halves at a time', () => {
    expect(afterMany(10_000, 100).rangeBlocks).toBe(10);
    const sizer = new RangeSizer();
    sizer.observe({ blocks: 100, bytes: 100, durationMs: 1 });
    expect(sizer.rangeBlocks).toBe(200);
  });

  it('learns nothing from a few blocks at the tip', () => {
    const sizer = new RangeSizer();
    sizer.observe({ blocks: 1, bytes: 100_000, durationMs: 5_000 });
    expect(sizer.rangeBlocks).toBe(100);
    expect(sizer.bytesPerBlock).toBe(1_000);
  });

  it('estimates block sizes from the last ranges', () => {
    expect(afterMany(1, 7_000).bytesPerBlock).toBe(7_000);
  });
});
