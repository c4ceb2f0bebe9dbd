import { applyJobId, fetchJobId } from './job-id.js';

describe('job ids', () => {
  it('tell the range, in a form that BullMQ takes', () => {
    expect(fetchJobId({ from: 1, to: 1_000 }, 25_000)).toBe('fetch-1-1000-2');
    expect(applyJobId({ from: 1, to: 1_000 })).toBe('apply-1-1000');
  });

  it('of a fetch are others some seconds later, so that what is left of a lost job stands in no way', () => {
    const range = { from: 1, to: 9 };
    expect(fetchJobId(range, 1_000)).toBe(fetchJobId(range, 9_000));
    expect(fetchJobId(range, 1_000)).not.toBe(fetchJobId(range, 11_000));
  });
});
