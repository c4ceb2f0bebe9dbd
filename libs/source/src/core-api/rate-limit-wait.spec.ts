import { readRecording } from '@roundhouse/testing';
import { rateLimitWaitMs } from './rate-limit-wait.js';

const NOW = Date.parse('2026-11-21T03:30:15Z');

describe('rateLimitWaitMs', () => {
  it.each([
    ['decimal seconds', { 'retry-after': '1.5' }, 1500],
    ['seconds before the moment of a reset', { 'retry-after': '2', 'x-ratelimit-reset': '1795231875' }, 2000],
    ['the moment of a reset as a date', { 'x-ratelimit-reset': 'Sat, 21 Nov 2026 03:30:20 GMT' }, 5000],
    ['the moment of a reset in seconds', { 'x-ratelimit-reset': String(NOW / 1000 + 3) }, 3000],
    ['the moment of a reset in milliseconds', { 'x-ratelimit-userreset': String(NOW + 70) }, 70],
    ['at most a little over a minute', { 'retry-after': '86400' }, 65_000],
    ['nothing after 0 seconds', { 'retry-after': '0', 'x-ratelimit-reset': String(NOW + 70) }, undefined],
    ['nothing of a reset that has passed', { 'x-ratelimit-reset': String(NOW - 1) }, undefined],
    ['nothing of a word', { 'retry-after': 'later', 'x-ratelimit-reset': 'soon' }, undefined],
    ['nothing where nothing is said', {}, undefined],
  ])('tells %s', (_what, headers, waitMs) => {
    expect(rateLimitWaitMs(headers, NOW)).toBe(waitMs);
  });

  it('tells the two kinds of refusal of Core 3.9 apart: too many requests, and too many database queries', () => {
    const refusals = readRecording<{ status: number; responseHeaders: Record<string, string> }>(
      'core-3.9',
      'core-api-v3-429.ndjson.gz',
    ).filter(({ status }) => status === 429);
    const waits = refusals.map(({ responseHeaders }) => rateLimitWaitMs(responseHeaders, NOW));
    expect(waits).toEqual([59942, 59940, 59939, 59939, 59938, 59937, 59936, ...Array.from({ length: 6 })]);
  });
});
