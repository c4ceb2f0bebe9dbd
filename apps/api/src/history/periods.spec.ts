import { describe, expect, it } from '@jest/globals';
import { periodsBetween, type Step } from './periods.js';

const secondsOf = (time: string): number => Date.parse(time) / 1000;
const shown = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16);

describe('periods', () => {
  it.each<[Step, string, string, string[]]>([
    [
      'day',
      '2024-02-28T13:00Z',
      '2024-03-01T00:00Z',
      ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'],
    ],
    ['week', '2024-12-31T23:59Z', '2025-01-06T00:00Z', ['2024-12-30', '2025-01-06', '2025-01-13']],
    ['week', '1969-12-31T00:00Z', '1969-12-31T00:00Z', ['1969-12-29', '1970-01-05']],
    [
      'month',
      '2023-12-15T08:00Z',
      '2024-02-01T00:00Z',
      ['2023-12-01', '2024-01-01', '2024-02-01', '2024-03-01'],
    ],
  ])('of a %s from %s to %s', (step, first, last, starts) => {
    expect(periodsBetween(step, secondsOf(first), secondsOf(last), 10)?.map(shown)).toEqual(
      starts.map((day) => `${day}T00:00`),
    );
  });

  it('are none if the last second is before the first', () => {
    expect(periodsBetween('day', secondsOf('2024-01-02'), secondsOf('2024-01-01'), 10)).toHaveLength(1);
  });

  it('are not more than asked for', () => {
    expect(periodsBetween('day', 0, 86_400 * 10 - 1, 10)).toHaveLength(11);
    expect(periodsBetween('day', 0, 86_400 * 10, 10)).toBeNull();
  });
});
