import { nextPoll } from './next-poll.js';

const constants = { epoch: '2017-03-21T13:00:00.000Z', blocktime: 8 };
const epochMs = Date.parse(constants.epoch);

describe('nextPoll', () => {
  it('keeps the interval while the index is behind', () => {
    expect(nextPoll(epochMs + 5_000, null, constants, 1_000)).toEqual({ delayMs: 1_000, key: 'poll' });
  });

  it('keeps the interval while the next block is not due within it', () => {
    expect(nextPoll(epochMs + 802_000, 800, constants, 1_000)).toEqual({ delayMs: 1_000, key: 'poll' });
  });

  it('asks shortly after the next slot begins', () => {
    const poll = nextPoll(epochMs + 807_500, 800, constants, 1_000);
    expect(poll).toEqual({ delayMs: 550, key: `slot-${epochMs + 808_000}` });
  });

  it('goes on to the slot after when the block of a slot did not come', () => {
    const poll = nextPoll(epochMs + 808_050, 800, constants, 60_000);
    expect(poll).toEqual({ delayMs: 8_000, key: `slot-${epochMs + 816_000}` });
  });

  it('is never later than the interval, even when the clock is before the head', () => {
    expect(nextPoll(epochMs, 800, constants, 1_000).delayMs).toBe(1_000);
  });
});
