import { setTimeout as wait } from 'node:timers/promises';
import type { Draw } from './disturbance.js';

export const pauseIndexer: Draw = (random) => {
  const index = random.between(0, 1);
  const forMs = random.between(200, 4_000);
  return {
    line: `pause indexer ${index + 1} for ${forMs} ms`,
    hold: 'indexers',
    run: async ({ indexers }) => {
      indexers[index]!.pause();
      await wait(forMs);
      indexers[index]!.resume();
    },
  };
};

/** A frozen writer loses its connection: the other indexer takes over, and this one finds out when it wakes up. */
export const freezeIndexerWithoutDatabase: Draw = (random) => {
  const index = random.between(0, 1);
  const forMs = random.between(1_500, 4_000);
  return {
    line: `pause indexer ${index + 1} for ${forMs} ms, its sessions ended meanwhile`,
    hold: 'indexers',
    run: async ({ indexers, postgres }) => {
      indexers[index]!.pause();
      await postgres.endSessions();
      await wait(forMs);
      indexers[index]!.resume();
    },
  };
};

export const pauseApi: Draw = (random) => {
  const forMs = random.between(200, 3_000);
  return {
    line: `pause api for ${forMs} ms`,
    hold: 'api',
    run: async ({ api }) => {
      api.pause();
      await wait(forMs);
      api.resume();
    },
  };
};
