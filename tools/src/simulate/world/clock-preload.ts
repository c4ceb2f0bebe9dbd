/**
 * Loaded into a program before all else (`node --import`): its Date is off by what the file of its `Clock` says, named
 * in `SIMULATED_CLOCK`. What counts durations (`performance`, `process.hrtime`, timers) stays right, as when an operator
 * or NTP sets the clock of a machine.
 */
import { readFileSync, watchFile } from 'node:fs';

const file = process.env['SIMULATED_CLOCK'];
const LOOK_EVERY_MS = 50;

const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
let offsetMs = 0;
const now = (): number => realNow() + offsetMs;

const read = (path: string): void => {
  offsetMs = Number(readFileSync(path, 'utf8')) * 1_000;
};

if (file !== undefined) {
  read(file);
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, () => read(file));
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
  });
}
