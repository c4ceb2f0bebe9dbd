import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { LocalProcess } from '@roundhouse/local-postgres';
import { eventually } from '@roundhouse/testing';
import { Clock } from './clock.js';

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

type Clocks = Readonly<Record<'now' | 'made' | 'called' | 'performance' | 'given', number>>;

interface Times extends Clocks {
  readonly who: 'main' | 'worker';
  readonly isDate: boolean;
}

const isNearly = (found: number, expected: number): boolean => Math.abs(found - expected) < NEARLY_MS;

it('the clock of a program is shifted while it runs, also in its workers, and durations stay right', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-clock-'));
  const clock = new Clock(join(folder, 'clock'));
  const imported = ['../../../jest/typescript.mjs', './clock-preload.ts'].flatMap((path) => [
    '--import',
    new URL(path, import.meta.url).href,
  ]);
  const program = new LocalProcess(process.execPath, [...imported, '--input-type=module', '-e', TELLS], {
    environment: { PATH: process.env['PATH'], SIMULATED_CLOCK: clock.file },
  });
  const latest = (who: Times['who']): Times | undefined =>
    program.output.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Times)
      .findLast((times) => times.who === who);
  const tells = (offsetMs: number): boolean =>
    [latest('main')!, latest('worker')!].every(
      ({ now, made, called, performance: ran, given, isDate }) =>
        [now, made, called].every((each) => isNearly(each, Date.now() + offsetMs)) &&
        isNearly(ran, 0) &&
        given === 5 &&
        isDate,
    );
  try {
    await eventually('it has the right time', () => tells(0));
    for (const offsetMs of [2 * HOUR_MS, -3 * HOUR_MS, 0]) {
      clock.set(offsetMs / 1_000);
      await eventually(`it is shifted by ${offsetMs} ms`, () => tells(offsetMs));
    }
  } finally {
    await program.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
