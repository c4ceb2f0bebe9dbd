import { setTimeout as wait } from 'node:timers/promises';
import type { World } from '../world/world.js';
import type { Draw } from './disturbance.js';

/**
 * Offsets of a clock in seconds. They are so large that a program that waits for the clock to return misses the time
 * limit for catching up.
 */
const OFFSETS = [-86_400, -3_600, -600, 0, 600, 3_600, 86_400];

/**
 * The database's clock is never set behind the real one, because PostgreSQL would end waiting sessions: under
 * libfaketime, their timeouts use the real clock. The clock steps back only to a smaller offset.
 */
const AHEAD = OFFSETS.filter((seconds) => seconds >= 0);

const signed = (seconds: number): string => `${seconds < 0 ? '' : '+'}${seconds} s`;

/** Sets a clock twice in a row. It stays at the second offset, so that at least one step is made. */
const clocks =
  (whose: string, set: (world: World, seconds: number) => void, offsets = OFFSETS): Draw =>
  (random) => {
    const [first, second] = random.shuffle(offsets) as [number, number];
    const afterMs = random.between(200, 2_500);
    return {
      line: `clock of ${whose} to ${signed(first)}, ${afterMs} ms later to ${signed(second)}`,
      hold: 'clocks',
      run: async (world) => {
        set(world, first);
        await wait(afterMs);
        set(world, second);
      },
    };
  };

export const clockOfOneIndexer: Draw = (random, circumstances) => {
  const index = random.between(0, 1);
  return clocks(`indexer ${index + 1}`, (world, seconds) => world.setClock(world.indexers[index]!, seconds))(
    random,
    circumstances,
  );
};

const setIndexers = (world: World, seconds: number): void =>
  world.indexers.forEach((indexer) => world.setClock(indexer, seconds));

export const clockOfBothIndexers = clocks('both indexers', setIndexers);

export const clockOfApi = clocks('api', (world, seconds) => world.setClock(world.api, seconds));

export const clockOfDatabase = clocks(
  'the database',
  ({ postgres }, seconds) => postgres.setClock(seconds),
  AHEAD,
);

/** Sets the clock of a machine on which all programs run. */
const setAll = (world: World, seconds: number): void => {
  setIndexers(world, seconds);
  world.setClock(world.api, seconds);
  world.postgres.setClock(seconds);
};

export const clockOfAll = clocks('all', setAll, AHEAD);
