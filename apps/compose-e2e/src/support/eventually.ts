import { setTimeout as delay } from 'node:timers/promises';

/** Asks every 200 ms, failures count as a no; throws with `what` when it does not come true in time. */
export const eventually = async (
  what: string,
  isTrue: () => Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  for (let reason: unknown; ; await delay(200)) {
    try {
      if (await isTrue()) return;
      reason = undefined;
    } catch (error) {
      reason = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`Not within ${timeoutMs} ms: ${what}`, { cause: reason });
    }
  }
};
