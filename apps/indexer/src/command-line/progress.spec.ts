import { describe, expect, it } from '@jest/globals';
import { Pace, Progress, readableDuration } from './progress.js';

/** Collects what is written. With `isTTY`, it has what cli-progress needs of a terminal. */
const fakeStream = (isTTY: boolean) => {
  const written: string[] = [];
  const stream = {
    isTTY,
    columns: 200,
    write: (text: string) => written.push(text),
    cursorTo: () => true,
    clearLine: () => true,
  };
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => written.join('') };
};

const withClock = (isTTY: boolean) => {
  const { stream, text } = fakeStream(isTTY);
  const clock = { now: 0 };
  const progress = new Progress('syncing', { stream, now: () => clock.now, lineEveryMs: 10_000 });
  return { progress, clock, text };
};

describe('progress', () => {
  it('writes a line every ten seconds if there is no terminal', () => {
    const { progress, clock, text } = withClock(false);
    progress.show(0, 1_000);
    clock.now = 5_000;
    progress.show(200, 1_000);
    expect(text()).toBe('');
    clock.now = 10_000;
    progress.show(400, 1_000);
    clock.now = 12_000;
    progress.show(500, 1_000);
    progress.end();
    expect(text()).toBe('syncing: 400 of 1000 blocks (40 %), 40 blocks/s, 15 s left\n');
  });

  it('shows a bar with pace and time left on a terminal', () => {
    const { progress, clock, text } = withClock(true);
    progress.show(0, 1_000);
    clock.now = 2_000;
    progress.show(500, 1_000);
    progress.end();
    expect(text()).toMatch(/syncing \[█{12}░{12}\] 50 % \| 500 of 1000 blocks \| 250 blocks\/s \| 2 s left/);
  });

  it('measures the pace over all of the work if that comes in bursts with long pauses', () => {
    const { stream, text } = fakeStream(false);
    const clock = { now: 0 };
    const progress = new Progress('comparing', { stream, now: () => clock.now, paceMs: Infinity });
    progress.show(0, 1_000);
    for (let minute = 1; minute <= 5; minute += 1) {
      clock.now = minute * 60_000;
      for (let done = 1; done <= 100; done += 1) progress.show((minute - 1) * 100 + done, 1_000);
    }
    expect(text().trimEnd().split('\n').at(-1)).toBe(
      'comparing: 401 of 1000 blocks (40 %), 1.3 blocks/s, 7 min 28 s left',
    );
  });

  it('says that the time left is unknown before anything is done', () => {
    const { progress, clock, text } = withClock(false);
    clock.now = 10_000;
    progress.show(0, 1_000);
    expect(text()).toBe('syncing: 0 of 1000 blocks (0 %), 0 blocks/s, time left unknown\n');
  });
});

describe('the pace', () => {
  it('forgets old samples', () => {
    const pace = new Pace();
    pace.observe(0, 0);
    pace.observe(1_000, 100_000);
    for (let second = 2; second <= 40; second += 1) pace.observe(second * 1_000, 100_000 + second * 10);
    expect(pace.perSecond).toBeCloseTo(10);
  });

  it('starts again when a fork is undone', () => {
    const pace = new Pace();
    pace.observe(0, 1_000);
    pace.observe(1_000, 900);
    pace.observe(2_000, 950);
    expect(pace.perSecond).toBe(50);
  });
});

it.each([
  [0.4, '0 s'],
  [59, '59 s'],
  [185, '3 min 05 s'],
  [7_800, '2 h 10 min'],
  [356_400, '4 d 03 h'],
])('%d seconds read as %s', (seconds, text) => {
  expect(readableDuration(seconds)).toBe(text);
});
