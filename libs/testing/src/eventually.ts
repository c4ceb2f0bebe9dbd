import { setTimeout as wait } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Polls until the condition holds, and returns how many ms that took. An error counts as false. If the condition
 * does not hold in time, throws an error with `what`, and the last error as its cause.
 */
export const eventually = async (
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<number> => {
  const start = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    let cause: unknown;
    try {
      if (await isTrue()) return performance.now() - start;
    } catch (error) {
      cause = error;
    }
    if (performance.now() - start > withinMs)
      throw new Error(`Not within ${withinMs} ms: ${what}`, { cause });
    await wait(pauseMs);
  }
};
