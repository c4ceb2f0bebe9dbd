import { describe, expect, it } from '@jest/globals';
import { duration, fullTime, moment } from './time.js';

const AT = Date.parse('2026-11-21T10:40:12.900Z');

describe('time', () => {
  it.each([
    [-5000, '0 s'],
    [0, '0 s'],
    [4999, '4 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [86_400_000 + 5000, '1 d'],
    [3 * 86_400_000 + 4 * 3_600_000, '3 d 4 h'],
  ])('%i ms are %s', (ms, text) => expect(duration(ms)).toBe(text));

  it('is shown in UTC', () => expect(fullTime(AT)).toBe('2026-11-21 10:40:12 UTC'));

  it('is shown as the time of day, until a script says how long ago it was', () =>
    expect(moment(AT).text).toMatch(/^<time data-ago .*>10:40:12</));
});
