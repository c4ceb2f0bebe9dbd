import { rm } from 'node:fs/promises';
import { startTestPostgres } from './test-postgres.js';
import { startTestRedis } from './test-redis.js';
import { makeTestFolder } from './test-folder.js';

// Runs beside jest, forked by tools/jest/global-setup.mjs, and ends with it: the channel closes however jest ends.

const folder = await makeTestFolder();
const postgres = await startTestPostgres(folder);
const redis = await startTestRedis(folder);

const stop = async (): Promise<void> => {
  await redis?.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
};

process.once('disconnect', () => void stop().then(() => process.exit(0)));
// Ctrl-C reaches the whole group; jest ends by it and closes the channel.
process.on('SIGINT', () => undefined);
process.send?.({ databaseUrl: postgres.url, redisUrl: redis?.url ?? null });
