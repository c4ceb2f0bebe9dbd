import { planRanges, type PlanInput } from './plan-ranges.js';

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
