import { setTimeout as wait } from 'node:timers/promises';
import type { Draw } from './disturbance.js';

export const restartRedis: Draw = (random) => {
  const downMs = random.between(0, 2_500);
  const keepsData = random.chance(0.5);
  return {
    line: `restart Redis${keepsData ? '' : ' without its data'}, down for ${downMs} ms`,
    hold: 'redis',
    run: async ({ redis }) => {
      await redis?.stop(keepsData);
      await wait(downMs);
      await redis?.start();
    },
  };
};

export const emptyRedis: Draw = (random) => {
  const afterMs = random.between(0, 500);
  return {
    line: `empty Redis (flushall) after ${afterMs} ms`,
    hold: 'redis',
    run: async ({ redis }) => {
      await wait(afterMs);
      await redis?.flush();
    },
  };
};
