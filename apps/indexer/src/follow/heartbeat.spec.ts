import { LEAST_ARRIVAL_MS, nextArrival, nextPoll, type PollTiming } from './heartbeat.service.js';

const constants = { epoch: '2017-03-21T13:00:00.000Z', blocktime: 8 };
const epochMs = Date.parse(constants.epoch);

/** At `ms` since the epoch, with a head forged at 800 s. */
const at = (ms: number, over: Partial<PollTiming> = {}) =>
  nextPoll({
    now: epochMs + ms,
    headTimestamp: 800,
    lag: 0,
    constants,
    intervalMs: 1_000,
    arrivalMs: LEAST_ARRIVAL_MS,
    ...over,
  });

/** When the source is asked from `from` until `to`, as ms since the epoch. */
const askedBetween = (from: number, to: number, over: Partial<PollTiming> = {}): number[] => {
  const asked: number[] = [];
  for (let ms = from; (ms += at(ms, over).delayMs) < to;) asked.push(ms);
  return asked;
};

describe('nextPoll', () => {
  it('keeps the interval while there is no block', () => {
    expect(at(5_000, { headTimestamp: null })).toMatchObject({ delayMs: 1_000, key: 'poll' });
  });

  it.each([50, 1_000, 60_000])('asks when the next block is due, at an interval of %i ms', (intervalMs) => {
    expect(at(802_000, { intervalMs })).toEqual({
      delayMs: 6_050,
      key: `slot-${((epochMs + 808_000) / 8_000) % 100}-0`,
      keyMs: 8_000,
      isForNews: true,
      sinceSlotMs: 50,
      slotMs: 8_000,
    });
  });

  it('asks later in the slot if blocks usually come later, with the same key', () => {
    expect(at(802_000, { arrivalMs: 700 })).toMatchObject({
      delayMs: 6_700,
      key: `slot-${((epochMs + 808_000) / 8_000) % 100}-0`,
    });
  });

  it('asks again soon for a block that is late, then less and less often, until the next slot', () => {
    const asked = askedBetween(808_050, 816_100).map((ms) => ms - 808_050);
    expect(asked).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 8_000]);
  });

  it.each([1, 2, 3])(
    'waits for the next slot, at any interval, while %i announced blocks are not indexed yet',
    (lag) => {
      expect(at(808_060, { lag, intervalMs: 60_000 })).toMatchObject({
        delayMs: 7_990,
        key: `slot-${((epochMs + 816_000) / 8_000) % 100}-0`,
      });
    },
  );

  it('asks again after the interval for an announced block that does not come', () => {
    expect(at(808_060, { lag: 1 })).toMatchObject({ delayMs: 1_000, key: 'poll', isForNews: true });
  });

  it('keeps the interval if many slots have passed without a block', () => {
    expect(at(832_050)).toMatchObject({ delayMs: 1_000, key: 'poll' });
  });

  it('keeps the interval if the clock is behind the head', () => {
    expect(at(0)).toMatchObject({ delayMs: 1_000, key: 'poll' });
  });

  it('polls rarely while the index is far behind', () => {
    expect(at(9_000_000, { lag: 1_000 })).toMatchObject({ delayMs: 10_000, key: 'poll' });
    expect(at(9_000_000, { lag: 999 })).toMatchObject({ delayMs: 1_000 });
  });
});

describe('nextArrival', () => {
  it('approaches the time at which blocks arrive, with fewer than two requests per block', () => {
    let arrivalMs = LEAST_ARRIVAL_MS;
    let requests = 0;
    const late: number[] = [];
    for (let slot = 1; slot <= 100; slot += 1) {
      // From 400 to 599 ms after the beginning of the slot, in no order.
      const comesAt = 400 + ((slot * 73) % 200);
      let foundMs = arrivalMs;
      requests += 1;
      for (let tries = 1; foundMs < comesAt; tries += 1) {
        foundMs = arrivalMs + 100 * 2 ** (tries - 1);
        requests += 1;
      }
      late.push(foundMs - comesAt);
      arrivalMs = nextArrival(arrivalMs, foundMs, 8_000);
    }
    expect(requests).toBeLessThan(170);
    expect(late.sort((a, b) => a - b)[50]).toBeLessThan(150);
  });

  it('waits up to 2 s for a webhook or another process to announce a block', () => {
    let arrivalMs = LEAST_ARRIVAL_MS;
    for (let slot = 0; slot < 50; slot += 1) arrivalMs = nextArrival(arrivalMs, null, 8_000);
    expect(arrivalMs).toBe(2_000);
    // From here on nothing announces blocks.
    for (let slot = 0; slot < 20; slot += 1) arrivalMs = nextArrival(arrivalMs, arrivalMs, 8_000);
    expect(arrivalMs).toBeLessThan(300);
  });

  it('stays within the first half of the slot', () => {
    expect(nextArrival(3_900, 6_450, 8_000)).toBe(4_000);
    expect(nextArrival(LEAST_ARRIVAL_MS, LEAST_ARRIVAL_MS, 8_000)).toBe(LEAST_ARRIVAL_MS);
  });
});
