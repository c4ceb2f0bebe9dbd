import { setTimeout as delay } from 'node:timers/promises';

/** Looks every 10 ms; false when the condition did not come true in time. */
export const waitUntil = async (condition: () => boolean, timeoutMs: number): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await delay(10);
  }
  return true;
};
