import { nextPoll } from './next-poll.js';

const constants = { epoch: '2017-03-21T13:00:00.000Z', blocktime: 8 };
const epochMs = Date.parse(constants.epoch);

describe('nextPoll', () => {
  it('keeps the interval while the index is behind', () => {
    expect(nextPoll(epochMs + 5_000, null, constants, 1_000)).toMatchObject({ delayMs: 1_000, key: 'poll' });
  });

  it('keeps the interval while the next block is not due within it', () => {
    expect(nextPoll(epochMs + 802_000, 800, constants, 1_000)).toMatchObject({ delayMs: 1_000, key: 'poll' });
  });

  it('asks shortly after the next slot begins', () => {
    const poll = nextPoll(epochMs + 807_500, 800, constants, 1_000);
    expect(poll).toEqual({ delayMs: 550, key: `slot-${epochMs + 808_050}`, isForSlot: true });
  });

  it('asks again soon for a block that is late, then less and less often, until the next slot', () => {
    const asked: number[] = [];
    for (let ms = 808_050; ms < 816_050;) {
      ms += nextPoll(epochMs + ms, 800, constants, 60_000).delayMs;
      asked.push(ms - 808_050);
    }
    expect(asked).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 8_000]);
  });

  it('does not hurry where many slots passed without a block', () => {
    const poll = nextPoll(epochMs + 832_050, 800, constants, 60_000);
    expect(poll).toMatchObject({ delayMs: 8_000, key: `slot-${epochMs + 840_050}` });
  });

  it('asks no less often than the interval for a block that is late', () => {
    expect(nextPoll(epochMs + 810_000, 800, constants, 1_000)).toMatchObject({ delayMs: 1_000, key: 'poll' });
  });

  it('is never later than the interval, even when the clock is before the head', () => {
    expect(nextPoll(epochMs, 800, constants, 1_000).delayMs).toBe(1_000);
  });
});
