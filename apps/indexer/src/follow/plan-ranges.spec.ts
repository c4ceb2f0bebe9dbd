import { planRanges, type PlanInput } from './follow.service.js';
import { RangeSizer } from './range-sizer.js';

const input = (over: Partial<PlanInput>): PlanInput => ({
  head: 0,
  tip: 1_000,
  staged: [],
  taken: [],
  rangeBlocks: 100,
  bytesPerBlock: 10,
  maxJobs: 4,
  maxStagedBytes: 1_000_000,
  ...over,
});

const spans = (over: Partial<PlanInput>): string[] =>
  planRanges(input(over)).map(({ from, to }) => `${from}-${to}`);

describe('planRanges', () => {
  it('plans the heights right above the head, up to the number of jobs', () => {
    expect(spans({ head: 50 })).toEqual(['51-150', '151-250', '251-350', '351-450']);
  });

  it('plans nothing when the index is at the tip or above it', () => {
    expect(spans({ head: 1_000 })).toEqual([]);
    expect(spans({ head: 1_001 })).toEqual([]);
  });

  it('plans only the next block at the tip', () => {
    expect(spans({ head: 999 })).toEqual(['1000-1000']);
  });

  it('never goes beyond the tip', () => {
    expect(spans({ head: 850, maxJobs: 9 })).toEqual(['851-950', '951-1000']);
  });

  it('fills the gaps between staged ranges and ranges that have a job', () => {
    const staged = [
      { from: 1, to: 100, sizeBytes: 1 },
      { from: 151, to: 200, sizeBytes: 1 },
    ];
    expect(spans({ staged, taken: [{ from: 301, to: 400 }] })).toEqual(['101-150', '201-300', '401-500']);
  });

  it('takes overlapping ranges as one', () => {
    const staged = [
      { from: 1, to: 200, sizeBytes: 1 },
      { from: 51, to: 150, sizeBytes: 1 },
    ];
    expect(spans({ staged, maxJobs: 1 })).toEqual(['201-300']);
  });

  it('plans a range again whose job and staged row are gone', () => {
    expect(spans({ staged: [{ from: 101, to: 200, sizeBytes: 1 }], maxJobs: 1 })).toEqual(['1-100']);
  });

  it('counts ranges that have a job against the number of jobs', () => {
    const taken = [1, 101, 201].map((from) => ({ from, to: from + 99 }));
    expect(spans({ taken })).toEqual(['301-400']);
  });

  it('plans nothing ahead while too many bytes are staged', () => {
    expect(spans({ staged: [{ from: 1, to: 100, sizeBytes: 1_000_000 }] })).toEqual([]);
  });

  it('counts the estimated bytes of ranges that have a job', () => {
    expect(spans({ maxStagedBytes: 1_500, taken: [{ from: 1, to: 100 }] })).toEqual(['101-200']);
  });

  it('plans the range right above the head regardless of limits', () => {
    const staged = [{ from: 101, to: 200, sizeBytes: 2_000_000 }];
    const taken = [201, 301, 401, 501].map((from) => ({ from, to: from + 99 }));
    expect(spans({ staged, taken })).toEqual(['1-100']);
  });
});

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
