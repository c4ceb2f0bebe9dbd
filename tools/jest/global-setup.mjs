// Tests run the programs in their compiled form, and a browser needs JavaScript.
import '../compile.mjs';

/**
 * Starts one PostgreSQL, and one Redis if there is a redis-server, for the whole run. `@roundhouse/testing` reads
 * the variables.
 */
export default async () => {
  const { startTestServers } = await import('../../libs/testing/dist/servers/test-servers.js');
  const servers = await startTestServers();
  globalThis.roundhouseTestServers = servers;
  process.env.TEST_DATABASE_URL = servers.databaseUrl;
  if (servers.redisUrl !== null) process.env.TEST_REDIS_URL = servers.redisUrl;
};
