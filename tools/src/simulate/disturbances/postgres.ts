import { setTimeout as wait } from 'node:timers/promises';
import type { Draw } from './disturbance.js';

const restart =
  (shutdown: 'fast' | 'immediate'): Draw =>
  (random) => {
    const afterMs = random.between(0, 300);
    const downMs = random.between(0, 2_000);
    return {
      line: `restart PostgreSQL (-m ${shutdown}) after ${afterMs} ms, down for ${downMs} ms`,
      hold: 'postgres',
      run: async ({ postgres }) => {
        await wait(afterMs);
        await postgres.stop(shutdown);
        await wait(downMs);
        await postgres.start();
      },
    };
  };

export const restartPostgres = restart('fast');
export const crashPostgres = restart('immediate');

export const endSessions: Draw = (random) => {
  const afterMs = random.between(0, 300);
  return {
    line: `end all sessions of PostgreSQL after ${afterMs} ms`,
    hold: 'postgres',
    run: async ({ postgres }) => {
      await wait(afterMs);
      await postgres.endSessions();
    },
  };
};
