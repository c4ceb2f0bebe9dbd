/**
 * Loaded into a program before everything else (`node --import`). It shifts `Date` by the offset in the file of its
 * `Clock`, which `SIMULATED_CLOCK` names. Durations (`performance`, `process.hrtime`, timers) stay right, as when an
 * operator or NTP sets a machine's clock.
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
