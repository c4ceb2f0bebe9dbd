import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
// Tests run the programs in their compiled form, and a browser needs JavaScript.
import '../compile.mjs';

const SERVERS = fileURLToPath(new URL('../../libs/testing/dist/servers/main.js', import.meta.url));

const startServers = () =>
  new Promise((resolve, reject) => {
    const servers = fork(SERVERS, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    servers.once('message', (addresses) => resolve({ servers, addresses }));
    servers.once('exit', () =>
      reject(new Error('The servers for the tests did not start: see the messages above.')),
    );
  });

/**
 * Starts one PostgreSQL, and one Redis if there is a redis-server, for the whole run. `@roundhouse/testing` reads
 * the variables.
 */
export default async () => {
  const { servers, addresses } = await startServers();
  globalThis.roundhouseTestServers = servers;
  process.env.TEST_DATABASE_URL = addresses.databaseUrl;
  if (addresses.redisUrl !== null) process.env.TEST_REDIS_URL = addresses.redisUrl;
};
