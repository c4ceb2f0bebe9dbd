import { rm } from 'node:fs/promises';
import { makeTestFolder } from './test-folder.js';
import { startTestPostgres } from './test-postgres.js';
import { startTestRedis } from './test-redis.js';

export interface TestServers {
  readonly databaseUrl: string;
  /** Null if there is no `redis-server`. */
  readonly redisUrl: string | null;
  stop(): Promise<void>;
}

/** Starts the servers of a test run, in the process that tools/jest/global-setup.mjs runs in. They end with it. */
export const startTestServers = async (): Promise<TestServers> => {
  const folder = await makeTestFolder();
  const postgres = await startTestPostgres(folder);
  const redis = await startTestRedis(folder);
  return {
    databaseUrl: postgres.url,
    redisUrl: redis?.url ?? null,
    stop: async () => {
      await redis?.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
