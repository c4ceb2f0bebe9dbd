import { applyJobId, fetchJobId } from './job-id.js';

describe('job ids', () => {
  it('tell the range, in a form that BullMQ takes', () => {
    expect(fetchJobId({ from: 1, to: 1_000 })).toBe('fetch-1-1000');
    expect(applyJobId({ from: 1, to: 1_000 })).toBe('apply-1-1000');
  });
});
