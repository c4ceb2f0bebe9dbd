import { setTimeout as wait } from 'node:timers/promises';
import type { Draw } from './disturbance.js';

const downTime = { least: 0, most: 2_000 };

export const killIndexer: Draw = (random) => {
  const index = random.between(0, 1);
  const afterMs = random.between(0, 300);
  const downMs = random.between(downTime.least, downTime.most);
  return {
    line: `kill -9 indexer ${index + 1} after ${afterMs} ms, down for ${downMs} ms`,
    hold: 'indexers',
    run: async ({ indexers }) => {
      await wait(afterMs);
      await indexers[index]!.kill();
      await wait(downMs);
      await indexers[index]!.start();
    },
  };
};

export const killBothIndexers: Draw = (random) => {
  const afterMs = random.between(0, 300);
  const downMs = random.between(downTime.least, downTime.most);
  return {
    line: `kill -9 both indexers after ${afterMs} ms, down for ${downMs} ms`,
    hold: 'indexers',
    run: async ({ indexers }) => {
      await wait(afterMs);
      await Promise.all(indexers.map((indexer) => indexer.kill()));
      await wait(downMs);
      await Promise.all(indexers.map((indexer) => indexer.start()));
    },
  };
};

export const killApi: Draw = (random) => {
  const downMs = random.between(downTime.least, downTime.most);
  return {
    line: `kill -9 api, down for ${downMs} ms`,
    hold: 'api',
    run: async ({ api }) => {
      await api.kill();
      await wait(downMs);
      await api.start();
    },
  };
};
