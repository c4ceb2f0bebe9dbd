import { fork, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const startServers = () =>
  new Promise((resolve, reject) => {
    const servers = fork(path('../../libs/testing/src/servers/main.ts'), [], {
      execArgv: [
        '--conditions=@roundhouse/source',
        '--import',
        new URL('./typescript.mjs', import.meta.url).href,
      ],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    servers.once('message', (addresses) => resolve({ servers, addresses }));
    servers.once('exit', () =>
      reject(new Error('The servers for the tests did not start: see the messages above.')),
    );
  });

/** What the browser runs is compiled JavaScript also where everything else runs from its sources. */
const compileBrowserModules = () => {
  const args = [
    path('../../node_modules/typescript/bin/tsc'),
    '-b',
    '--noCheck',
    path('../../libs/web/tsconfig.browser.json'),
  ];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('The scripts of the status page do not compile: see the messages above.');
};

/** One PostgreSQL, and one Redis where there is a redis-server, for the whole run; `@roundhouse/testing` reads the variables. */
export default async () => {
  compileBrowserModules();
  const { servers, addresses } = await startServers();
  globalThis.roundhouseTestServers = servers;
  process.env.TEST_DATABASE_URL = addresses.databaseUrl;
  if (addresses.redisUrl !== null) process.env.TEST_REDIS_URL = addresses.redisUrl;
};
