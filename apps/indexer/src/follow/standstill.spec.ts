import type { Position } from '@roundhouse/storage';
import { Standstill } from './standstill.js';

const at = (height: number, sourceHeight: number, checkedAt: string): Position => ({
  head: { height, id: String(height), timestamp: 0 },
  sourceHeight,
  finalHeight: null,
  checkedAt,
  hasRefusals: false,
});

describe('a standstill', () => {
  let standstill: Standstill;

  beforeEach(() => {
    standstill = new Standstill();
    standstill.lastsMs(at(5, 5, 'noon'), 0);
  });

  it('begins when the source is ahead, and is over when the head has moved', () => {
    expect(standstill.lastsMs(at(5, 5, 'noon'), 1_000)).toBe(0);
    expect(standstill.lastsMs(at(5, 6, 'one'), 2_000)).toBe(1_000);
    expect(standstill.lastsMs(at(5, 7, 'two'), 3_000)).toBe(2_000);
    expect(standstill.lastsMs(at(6, 7, 'two'), 4_000)).toBe(0);
  });

  it('begins when nobody asks the source in time, and is over with its answer', () => {
    standstill.pollIsDue();
    expect(standstill.lastsMs(at(5, 5, 'noon'), 3_000)).toBe(3_000);
    expect(standstill.lastsMs(at(5, 5, 'one'), 4_000)).toBe(0);
    expect(standstill.lastsMs(at(5, 5, 'one'), 9_000)).toBe(0);
  });

  it('is over when the source goes back to our height', () => {
    expect(standstill.lastsMs(at(5, 6, 'one'), 2_000)).toBe(2_000);
    expect(standstill.lastsMs(at(5, 5, 'two'), 3_000)).toBe(0);
  });
});
