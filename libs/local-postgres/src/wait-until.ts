import { setTimeout as delay } from 'node:timers/promises';

/** Checks every 10 ms. Returns false if the condition does not become true in time. */
export const waitUntil = async (condition: () => boolean, timeoutMs: number): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await delay(10);
  }
  return true;
};
