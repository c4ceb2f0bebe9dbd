import { Swings } from './swings.js';

describe('Swings', () => {
  let now: number;
  let swings: Swings;

  beforeEach(() => {
    now = 0;
    swings = new Swings(() => now);
  });

  /** The source switches to the other of two branches; returns how long it took until the switch was followed. */
  const swing = (ours: string, theirs: string): number => {
    const since = now;
    for (; swings.follow(ours, theirs) !== null; now += 1_000);
    return now - since;
  };

  it('follows new branches without a pause', () => {
    for (let n = 0; n < 100; n += 1) expect(swing(`block ${n}`, `block ${n + 1}`)).toBe(0);
    expect(swings.pauseMs).toBe(0);
  });

  it('follows the first return at once, and each further one after twice the pause, up to ten minutes', () => {
    const pauses = Array.from({ length: 6 }, () => [swing('a', 'b'), swing('b', 'a')]).flat();
    expect(pauses.map((ms) => ms / 1_000)).toEqual([0, 0, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]);
  });

  it('reports a pause as new once, with the number of returns', () => {
    swing('a', 'b');
    swing('b', 'a');
    expect(swings.follow('a', 'b')).toEqual({ returns: 1, ms: 10_000, isNew: true });
    now += 4_000;
    expect(swings.follow('a', 'b')).toEqual({ returns: 1, ms: 6_000, isNew: false });
    expect(swing('a', 'b')).toBe(6_000);
    expect(swings.follow('b', 'a')).toMatchObject({ returns: 2, isNew: true });
  });

  it('follows a third branch during a pause', () => {
    swing('a', 'b');
    swing('b', 'a');
    expect(swings.follow('a', 'b')).not.toBeNull();
    expect(swings.follow('a', 'c')).toBeNull();
  });

  it('forgets branches after an hour without a fork', () => {
    for (let n = 0; n < 3; n += 1) {
      swing('a', 'b');
      swing('b', 'a');
    }
    now += 3_600_001;
    expect([swing('a', 'b'), swing('b', 'a')]).toEqual([0, 0]);
  });
});
