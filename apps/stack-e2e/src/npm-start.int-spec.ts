import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEmptyDatabase,
  eventually,
  LaunchedStack,
  makeStackFolder,
  recordingFile,
  redisUrl,
  stackPorts,
  type StackPorts,
} from '@roundhouse/testing';
import { Client } from 'pg';
import { processesOf, processOf } from './processes-of.js';

const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

let folder: string;
let ports: StackPorts;
let launched: LaunchedStack[];

const launch = (extra: NodeJS.ProcessEnv = {}): LaunchedStack => {
  const stack = new LaunchedStack({ DATA_DIR: folder, DEVNET_BLOCK_TIME: '1', ...ports, ...extra });
  launched.push(stack);
  return stack;
};

const nothingIsLeft = (): Promise<number> =>
  eventually('no process is left', () => processesOf(folder).length === 0);

const open = async (): Promise<void> => {
  folder = makeStackFolder();
  ports = await stackPorts();
  launched = [];
};

const close = async (): Promise<void> => {
  await Promise.all(launched.map((stack) => stack.stop()));
  await nothingIsLeft();
  rmSync(folder, { recursive: true, force: true });
};

const expectAnswers = async (stack: LaunchedStack): Promise<string[]> => {
  await eventually('it suggests three requests', () => stack.curlTargets().length === 3);
  const targets = stack.curlTargets();
  for (const target of targets) expect(await (await fetch(target)).json()).toMatchObject({ success: true });
  return targets;
};

/** It ends with code 1; its last line says which program ended, how, and where to read more. */
const expectEnd = async (stack: LaunchedStack, program: string, how: string, log: string): Promise<void> => {
  expect(await stack.ended).toBe(1);
  expect(stack.lastLine()).toBe(
    `Everything stops, because ${program} ended by itself (${how}): read ${folder}/${log}, then start again.`,
  );
};

describe('npm start, one after the other in one folder', () => {
  let stack: LaunchedStack;
  let height: number;

  beforeAll(open);
  afterAll(close);

  it('answers the requests that it suggests, and follows the chain', async () => {
    stack = launch();
    await stack.ready();
    const targets = await expectAnswers(stack);
    const places = stack.addresses();
    expect(places).toEqual(expect.arrayContaining([stack.url, `${stack.url}/docs`, ...targets]));
    for (const place of places) expect([place, (await fetch(place)).status]).toEqual([place, 200]);
    height = await stack.height();
    expect(height).toBeGreaterThanOrEqual(300);
    await eventually('the head moves', async () => (await stack.height()) > height);
  });

  it('refuses a second start on its folder, and the first one keeps running', async () => {
    const second = launch({ ...(await stackPorts()) });
    expect(await second.ended).toBe(1);
    expect(second.lastLine()).toMatch(/^Roundhouse is already running on .+: stop it/);
    expect(await stack.height()).toBeGreaterThan(0);
  });

  it('stops on SIGTERM, and continues later, and says if a variable has no effect', async () => {
    expect(await stack.stop()).toBe(0);
    expect(processesOf(folder)).toEqual([]);
    stack = launch({ HISTORY: 'full', DEVNET_PROT: '1', RATE_LIMTI: '1' });
    await stack.ready();
    expect(await stack.height()).toBeGreaterThan(height);
    await eventually('it is ready', () => stack.output.includes('Ready.'));
    const [before] = stack.output.split(/^Ready\./m);
    expect(before).toMatch(/^HISTORY=full has no effect/m);
    for (const sentence of [
      'DEVNET_PROT is no setting and has no effect: DEVNET_PORT is one.',
      'RATE_LIMTI is no setting and has no effect: RATE_LIMIT is one.',
    ])
      expect(before!.split('\n').filter((line) => line === sentence)).toHaveLength(1);
    expect(readFileSync(join(folder, 'logs/indexer.log'), 'utf8')).toMatch(/^HISTORY=full has no effect/m);
  });

  it('has a command that builds history: refused while it runs, done when it is stopped', async () => {
    const command = /"(HISTORY=full node [^"]+)"/.exec(stack.output)![1]!;
    const { PATH } = process.env;
    const run = () =>
      promisify(execFile)('bash', ['-ec', command], { cwd: WORKSPACE, env: { PATH, DATA_DIR: folder } });
    await expect(run()).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('An indexer is writing to this database: stop all of them first'),
    });
    await stack.stop();
    expect((await run()).stdout).toMatch(/^history_balances: 0 rows deleted, \d+ inserted$/m);
    stack = launch();
    await stack.ready();
    expect((await fetch(`${stack.url}/api/history/supply?height=1`)).status).toBe(200);
  });

  it('leaves nothing running when it is killed, and starts again at once', async () => {
    height = await stack.height();
    stack.signal('SIGKILL');
    await stack.ended;
    stack = launch();
    await stack.ready();
    expect(await stack.height()).toBeGreaterThanOrEqual(height);
  });

  it('ends with one sentence and code 1 when the api stops, as nobody asked it to', async () => {
    process.kill(processOf(folder, 'apps/api/dist/main.js'), 'SIGTERM');
    await expectEnd(stack, 'the api', 'code 0', 'logs/api.log');
  });
});

describe('npm start', () => {
  beforeEach(open);
  afterEach(close);

  it('uses the database, the source and the Redis that it is given, and ends when its indexer is killed', async () => {
    const database = await createEmptyDatabase();
    const stack = launch({
      DATABASE_URL: database.url,
      BLOCK_SOURCE: `file:${recordingFile('core-3.9', 'chain.ndjson.gz')}`,
      NETWORK: recordingFile('core-3.9', 'network.json'),
      REDIS_URL: redisUrl() ?? '',
    });
    await stack.ready();
    expect(await stack.height()).toBe(322);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
    expect(existsSync(join(folder, 'devnet'))).toBe(false);
    process.kill(processOf(folder, 'apps/indexer/dist/main.js'), 'SIGKILL');
    await expectEnd(stack, 'the indexer', 'SIGKILL', 'logs/indexer.log');
    await database.drop();
  });

  it('listens on an IPv6 address, treats empty variables as not set, and ends when its PostgreSQL dies', async () => {
    const stack = launch({ HOST: '::1', DATABASE_URL: '', DATABASE_URL_FILE: '', REDIS_URL_FILE: '' });
    await stack.ready();
    expect(await expectAnswers(stack)).toContain(`http://[::1]:${ports.PORT}/api/blocks/getHeight`);
    const pidFile = join(folder, 'postgres', 'cluster', 'data', 'postmaster.pid');
    process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
    await expectEnd(stack, 'PostgreSQL', 'SIGKILL', 'postgres/server.log');
  });

  it('ends with one sentence and code 1 when the migration is killed', async () => {
    const database = await createEmptyDatabase();
    const blocker = new Client({ connectionString: database.url });
    await blocker.connect();
    // The lock of migrations: this one waits for it until it is killed.
    await blocker.query('SELECT pg_advisory_lock(7466501)');
    const stack = launch({ DATABASE_URL: database.url });
    const program = 'apps/indexer/dist/main.js migrate';
    await eventually('the migration runs', () => processOf(folder, program) > 0);
    process.kill(processOf(folder, program), 'SIGKILL');
    await blocker.end();
    await expectEnd(stack, 'the migration', 'SIGKILL', 'logs/migration.log');
  });

  it('shows the last sentence of a failed program although the disk of the logs is full', async () => {
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    for (const name of ['api', 'devnet', 'indexer', 'migration'])
      symlinkSync('/dev/full', join(logs, `${name}.log`));
    const stack = launch({ LOG_LEVEL: 'loud' });
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toMatch(
      /^Everything stops, because the migration ended by itself \(code 1\), see .+: .*LOG_LEVEL/,
    );
    expect(stack.output).not.toContain('ENOSPC');
  });

  it('says in one line which port is in use, and that two programs have the same one', async () => {
    const occupant = createServer().listen(Number(ports.PORT), '127.0.0.1');
    await once(occupant, 'listening');
    const indexers = String(Number(ports.OPS_PORT) + 1);
    const stack = launch({ CORE_V1_PORT: indexers });
    expect(await stack.ended).toBe(1);
    occupant.close();
    // apps/start/src/ports.spec.ts has several.
    expect(stack.lastLine()).toBe(
      `CORE_V1_PORT and OPS_PORT + 1 are both ${indexers}: set one of them to another number. ` +
        `Port ${ports.PORT} (PORT) is in use: stop what listens there, or set PORT to another port.`,
    );
  });

  // The sentences are those of apps/start/src/launcher.config.spec.ts, and of the indexer's commands.
  it.each([
    [
      'settings that it cannot use',
      { DATABASE_URL: 'postgres://user:12/hunter2@127.0.0.1/index', PORT: 'http' },
      /DATABASE_URL: .*PORT: it must be a port number/,
    ],
    [
      'a setting that its indexer cannot use',
      { NETWORK: 'mainnet', BLOCK_SOURCE: 'postgres:user:hunter2@127.0.0.1/ark' },
      /BLOCK_SOURCE/,
    ],
    ['a source that is out of reach', { BLOCK_SOURCE: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1/],
    [
      'a database that is out of reach',
      { DATABASE_URL: 'postgres://me@127.0.0.1:1/none' },
      /DATABASE_URL cannot be reached/,
    ],
  ])('ends with one sentence without passwords and code 1: %s', async (_, variables, sentence) => {
    const stack = launch(variables);
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toMatch(sentence);
    expect(stack.lastLine()).not.toMatch(/^\s+at /);
    expect(stack.output).not.toContain('hunter2');
  });
});
