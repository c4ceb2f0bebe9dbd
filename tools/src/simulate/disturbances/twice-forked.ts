import { setTimeout as wait } from 'node:timers/promises';
import type { Draw } from './disturbance.js';

/** Two forks in a row: the second may come while the first is being followed. */
export const twiceForked: Draw = (random, { height }) => {
  const reach = Math.max(height - 5, 1);
  const [first, second] = [random.between(1, 60), random.between(1, 60)].map((depth) =>
    Math.min(depth, reach),
  );
  const afterMs = random.between(20, 400);
  return {
    line: `fork ${first} deep, then ${second} deep ${afterMs} ms later`,
    hold: 'node',
    run: async ({ devnet }) => {
      await devnet.fork(first!, first!);
      await wait(afterMs);
      await devnet.fork(second!, second!);
    },
  };
};
