import { applyJobId, fetchJobId } from './job-id.js';

describe('job ids', () => {
  it('contain the range, in a form that BullMQ accepts', () => {
    expect(fetchJobId({ from: 1, to: 1_000 }, 25_000)).toBe('fetch-1-1000-2');
    expect(applyJobId({ from: 1, to: 1_000 })).toBe('apply-1-1000');
  });

  it('of a fetch change after some seconds, so that the record of a lost job does not block a new one', () => {
    const range = { from: 1, to: 9 };
    expect(fetchJobId(range, 1_000)).toBe(fetchJobId(range, 9_000));
    expect(fetchJobId(range, 1_000)).not.toBe(fetchJobId(range, 11_000));
  });
});
