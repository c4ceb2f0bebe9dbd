import { setTimeout as wait } from 'node:timers/promises';

/** Asks again and again until the condition holds; fails after `withinMs`, and gives how long it took. */
export const eventually = async (
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<number> => {
  const start = performance.now();
  while (!(await condition())) {
    const elapsed = performance.now() - start;
    if (elapsed > withinMs) throw new Error(`It did not come true within ${withinMs} ms.`);
    await wait(5);
  }
  return performance.now() - start;
};
