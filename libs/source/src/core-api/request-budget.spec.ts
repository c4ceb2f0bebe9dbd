import { readRecording } from '@roundhouse/testing';
import { rateLimitWaitMs, RequestBudget } from './request-budget.js';

const CLOCK = Date.parse('2026-11-21T03:30:15Z');

/** The headers that Core 3.9 sends with each answer. */
const told = (remaining: number, limit = 100) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': 'Sat, 21 Nov 2026 03:31:15 GMT',
});

describe('RequestBudget', () => {
  const now = 5_000;
  let budget: RequestBudget;

  beforeEach(() => {
    budget = new RequestBudget();
  });

  it('allows every request while the node reports no limit', () => {
    budget.told({ 'content-type': 'application/json' }, now, CLOCK);
    expect(budget.waitMs('bulk', now)).toBe(0);
  });

  it('reserves the last 40 of 100 requests for urgent ones, until the count of the node restarts', () => {
    budget.told(told(41), now, CLOCK);
    expect(budget.waitMs('bulk', now)).toBe(0);
    budget.begin();
    expect([budget.waitMs('bulk', now), budget.waitMs('now', now)]).toEqual([60_000, 0]);
    expect(budget.waitMs('bulk', now + 59_999)).toBe(1);
    expect(budget.waitMs('bulk', now + 60_000)).toBe(0);
  });

  it('allows no request when the limit is used up', () => {
    budget.told(told(0), now, CLOCK);
    expect(budget.waitMs('now', now)).toBe(60_000);
  });

  it('counts running requests that the node has not counted yet', () => {
    for (let request = 0; request < 3; request += 1) budget.begin();
    budget.end();
    budget.told(told(2), now, CLOCK);
    expect(budget.waitMs('now', now)).toBe(60_000);
  });

  it('reserves fewer requests if the node grants few', () => {
    budget.told(told(5, 10), now, CLOCK);
    expect(budget.waitMs('bulk', now)).toBe(0);
    budget.told(told(4, 10), now, CLOCK);
    expect(budget.waitMs('bulk', now)).toBe(60_000);
  });

  it('reads the headers of line 2.x, with a time in milliseconds', () => {
    const headers = {
      'x-ratelimit-userlimit': '300',
      'x-ratelimit-userremaining': '0',
      'x-ratelimit-userreset': String(CLOCK + 1_500),
    };
    budget.told(headers, now, CLOCK);
    expect(budget.waitMs('now', now)).toBe(1_500);
  });

  it('after two refusals, allows no request until the longer wait is over', () => {
    budget.refused(9_000, now);
    budget.refused(2_000, now);
    expect([budget.waitMs('now', now), budget.waitMs('bulk', now)]).toEqual([9_000, 9_000]);
  });
});

describe('rateLimitWaitMs', () => {
  it.each([
    ['decimal seconds', { 'retry-after': '1.5' }, 1500],
    ['seconds before the moment of a reset', { 'retry-after': '2', 'x-ratelimit-reset': '1795231875' }, 2000],
    ['the moment of a reset as a date', { 'x-ratelimit-reset': 'Sat, 21 Nov 2026 03:30:20 GMT' }, 5000],
    ['the moment of a reset in seconds', { 'x-ratelimit-reset': String(CLOCK / 1000 + 3) }, 3000],
    ['the moment of a reset in milliseconds', { 'x-ratelimit-userreset': String(CLOCK + 70) }, 70],
    ['at most a little over a minute', { 'retry-after': '86400' }, 65_000],
    ['nothing after 0 seconds', { 'retry-after': '0', 'x-ratelimit-reset': String(CLOCK + 70) }, undefined],
    ['nothing for a reset in the past', { 'x-ratelimit-reset': String(CLOCK - 1) }, undefined],
    ['nothing for a word', { 'retry-after': 'later', 'x-ratelimit-reset': 'soon' }, undefined],
    ['nothing without headers', {}, undefined],
    [
      'nothing while more requests are granted',
      { 'retry-after': '43', 'x-ratelimit-remaining': '57' },
      undefined,
    ],
  ])('returns %s', (_what, headers, waitMs) => {
    expect(rateLimitWaitMs(headers, CLOCK)).toBe(waitMs);
  });

  it('distinguishes the two refusals of Core 3.9: too many requests, and too many database queries', () => {
    const refusals = readRecording<{ status: number; responseHeaders: Record<string, string> }>(
      'core-3.9',
      'core-api-v3-429.ndjson.gz',
    ).filter(({ status }) => status === 429);
    const waits = refusals.map(({ responseHeaders }) => rateLimitWaitMs(responseHeaders, CLOCK));
    expect(waits).toEqual([59942, 59940, 59939, 59939, 59938, 59937, 59936, ...Array.from({ length: 6 })]);
  });
});
