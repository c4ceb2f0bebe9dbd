import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { makeTestFolder } from './test-folder.js';
import { startTestPostgres } from './test-postgres.js';
import { startTestRedis } from './test-redis.js';

// Runs beside jest, forked by tools/jest/global-setup.mjs, and ends with it: the channel closes however jest ends.
const jestEnds = once(process, 'disconnect');
// Ctrl-C reaches the whole process group: ignore it here, because jest ends and closes the channel.
process.on('SIGINT', () => undefined);

const folder = await makeTestFolder();
const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const postgres = await startTestPostgres(folder);
  closing.unshift(() => postgres.stop());
  const redis = await startTestRedis(folder);
  if (redis !== null) closing.unshift(() => redis.stop());
  if (process.connected) process.send?.({ databaseUrl: postgres.url, redisUrl: redis?.url ?? null });
  await jestEnds;
} finally {
  for (const close of closing) await close();
}
