import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@roundhouse/local-postgres';
import { Clock } from './clock.js';

const PATIENCE_MS = 20_000;
const HOUR_MS = 3_600_000;
/** A tolerance for slow machines, far below the offsets of the clock. */
const NEARLY_MS = 600_000;

/** Prints the time of each of its clocks repeatedly, in the main thread and in a worker. */
const TELLS = `
  import { Worker } from 'node:worker_threads';
  const times = 'now: Date.now(), made: new Date().getTime(), called: Date.parse(Date()), performance: performance.now(), given: new Date(5).getTime(), isDate: new Date() instanceof Date';
  const tell = (who) => "setInterval(() => console.log(JSON.stringify({ who: '" + who + "', " + times + " })), 50)";
  new Worker(tell('worker'), { eval: true });
  eval(tell('main'));`;

interface Times {
  readonly who: string;
  readonly now: number;
  readonly made: number;
  readonly called: number;
  readonly performance: number;
  readonly given: number;
  readonly isDate: boolean;
}

const isNearly = (found: number, expected: number): boolean => Math.abs(found - expected) < NEARLY_MS;

describe('the clock of a program', () => {
  let folder: string;
  let clock: Clock;
  let child: ChildProcess;
  const latest = new Map<string, Times>();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roundhouse-clock-'));
    clock = new Clock(join(folder, 'clock'));
    const hooks = new URL('../../../jest/typescript.mjs', import.meta.url).href;
    const preload = new URL('./clock-preload.ts', import.meta.url).href;
    child = spawn(
      process.execPath,
      ['--import', hooks, '--import', preload, '--input-type=module', '-e', TELLS],
      {
        env: { PATH: process.env['PATH'], SIMULATED_CLOCK: clock.file },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const times = JSON.parse(line) as Times;
      latest.set(times.who, times);
    });
  });

  afterEach(async () => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([2 * HOUR_MS, -3 * HOUR_MS])(
    'is shifted by %i ms while the program runs, also in its workers, and durations stay right',
    async (offsetMs) => {
      const tells = (offset: number): boolean =>
        ['main', 'worker'].every((who) => {
          const times = latest.get(who);
          return (
            times !== undefined &&
            [times.now, times.made, times.called].every((each) => isNearly(each, Date.now() + offset))
          );
        });
      expect(await waitUntil(() => tells(0), PATIENCE_MS)).toBe(true);
      clock.set(offsetMs / 1_000);
      expect(await waitUntil(() => tells(offsetMs), PATIENCE_MS)).toBe(true);
      for (const { performance: ran, given, isDate } of latest.values()) {
        expect(isNearly(ran, 0)).toBe(true);
        expect(given).toBe(5);
        expect(isDate).toBe(true);
      }
      clock.set(0);
      expect(await waitUntil(() => tells(0), PATIENCE_MS)).toBe(true);
    },
  );
});
