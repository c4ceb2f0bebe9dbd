import { WatchedHeaders } from './watched-headers.js';

const DATE = 'Sun, 01 Mar 2026 12:00:00 GMT';
const NOW = Date.parse('2026-03-01T12:00:00.400Z');

/** The difference of the clocks after answers with these `Date`s, each with the ms after `NOW` at which it arrived. */
const clockAfter = (
  ...answers: readonly (readonly [date: string | undefined, afterMs: number])[]
): number | null => {
  const headers = new WatchedHeaders();
  for (const [date, afterMs] of answers) headers.note({ date }, NOW + afterMs);
  return headers.clockAheadSeconds;
};

describe("the difference between a node's clock and this machine's", () => {
  it('is unknown without the header', () => {
    expect(clockAfter([undefined, 0], ['soon', 0])).toBeNull();
  });

  it('is 0 within the second that the header names', () => {
    expect(clockAfter([DATE, 0])).toBe(0);
  });

  it('is the smallest of those that the answers show: some arrive late', () => {
    expect(clockAfter([DATE, 2_000])).toBe(-2);
    expect(clockAfter([DATE, 2_000], [DATE, 0], [DATE, 1_100])).toBe(0);
  });

  it('stays when all answers show it', () => {
    expect(clockAfter(['Sun, 01 Mar 2026 12:01:00 GMT', 0], ['Sun, 01 Mar 2026 12:01:00 GMT', 900])).toBe(59);
  });
});
