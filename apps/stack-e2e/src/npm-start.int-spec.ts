import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEmptyDatabase,
  eventually,
  LaunchedStack,
  makeStackFolder,
  redisUrl,
  stackPorts,
  type StackPorts,
} from '@roundhouse/testing';
import { Client } from 'pg';
import { processesOf, processOf } from './processes-of.js';

let folder: string;
let ports: StackPorts;
let launched: LaunchedStack[];

const launch = (extra: NodeJS.ProcessEnv = {}): LaunchedStack => {
  const stack = new LaunchedStack({ DATA_DIR: folder, DEVNET_BLOCK_TIME: '1', ...ports, ...extra });
  launched.push(stack);
  return stack;
};

const stop = async (stack: LaunchedStack): Promise<void> => {
  expect(await stack.stop()).toBe(0);
};

const nothingIsLeft = (): Promise<number> =>
  eventually('no process is left', () => processesOf(folder).length === 0);

beforeEach(async () => {
  folder = makeStackFolder();
  ports = await stackPorts();
  launched = [];
});

afterEach(async () => {
  await Promise.all(launched.map((stack) => stack.stop()));
  await nothingIsLeft();
  rmSync(folder, { recursive: true, force: true });
});

describe('npm start', () => {
  it('answers the requests that it suggests, follows the chain, stops on SIGTERM and continues later', async () => {
    const first = launch();
    await first.ready();
    await eventually('it suggests three requests', () => first.curlTargets().length === 3);
    const targets = first.curlTargets();
    for (const target of targets) {
      expect(await (await fetch(target)).json()).toMatchObject({ success: true });
    }
    const places = first.addresses();
    expect(places).toEqual(expect.arrayContaining([first.url, `${first.url}/docs`, ...targets]));
    for (const place of places) expect([place, (await fetch(place)).status]).toEqual([place, 200]);
    const height = await first.height();
    expect(height).toBeGreaterThanOrEqual(300);
    await eventually('the head moves', async () => (await first.height()) > height);
    await stop(first);
    expect(processesOf(folder)).toEqual([]);

    const second = launch();
    await second.ready();
    expect(await second.height()).toBeGreaterThan(height);
    await stop(second);
    expect(processesOf(folder)).toEqual([]);
  });

  it('leaves nothing running when it is killed, and starts again at once', async () => {
    const first = launch();
    await first.ready();
    const height = await first.height();
    first.signal('SIGKILL');
    await first.ended;
    const second = launch();
    await second.ready();
    expect(await second.height()).toBeGreaterThanOrEqual(height);
    second.signal('SIGKILL');
    await second.ended;
    await nothingIsLeft();
  });

  it('refuses a second start on its folder, and the first one keeps running', async () => {
    const first = launch();
    await first.ready();
    const second = launch({ ...(await stackPorts()) });
    expect(await second.ended).toBe(1);
    expect(second.lastLine()).toMatch(/^Roundhouse is already running on .+: stop it/);
    expect(await first.height()).toBeGreaterThan(0);
    await stop(first);
  });

  it('uses the database, the source and the Redis that it is given', async () => {
    const devnetOwner = launch();
    await devnetOwner.ready();
    const database = await createEmptyDatabase();
    const other = makeStackFolder();
    const given = launch({
      DATA_DIR: other,
      ...(await stackPorts()),
      DATABASE_URL: database.url,
      BLOCK_SOURCE: `http://127.0.0.1:${ports.DEVNET_PORT}`,
      REDIS_URL: redisUrl() ?? '',
    });
    await given.ready();
    expect(await given.height()).toBeGreaterThanOrEqual(300);
    expect(existsSync(join(other, 'postgres'))).toBe(false);
    expect(existsSync(join(other, 'devnet'))).toBe(false);
    await stop(given);
    await stop(devnetOwner);
    await database.drop();
    rmSync(other, { recursive: true, force: true });
  });

  it('ends with one sentence and code 1 when its PostgreSQL dies', async () => {
    const stack = launch();
    await stack.ready();
    const pidFile = join(folder, 'postgres', 'cluster', 'data', 'postmaster.pid');
    process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toBe(
      `Everything stops, because PostgreSQL ended by itself (SIGKILL): read ${folder}/postgres/server.log, then start again.`,
    );
  });

  it.each([
    ['indexer', 'SIGKILL', 'SIGKILL'],
    ['api', 'SIGKILL', 'SIGKILL'],
    ['devnet', 'SIGKILL', 'SIGKILL'],
    // It stops as asked, but nobody asked the launcher.
    ['api', 'SIGTERM', 'code 0'],
  ] as const)('ends with one sentence and code 1 when the %s gets %s', async (app, signal, end) => {
    const stack = launch();
    await stack.ready();
    process.kill(processOf(folder, `apps/${app}/dist/main.js`), signal);
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toBe(
      `Everything stops, because the ${app} ended by itself (${end}): read ${folder}/logs/${app}.log, then start again.`,
    );
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
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toBe(
      `Everything stops, because the migration ended by itself (SIGKILL): read ${folder}/logs/migration.log, then start again.`,
    );
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

  it('listens on an IPv6 address, and treats empty variables as not set', async () => {
    const stack = launch({ HOST: '::1', DATABASE_URL: '', DATABASE_URL_FILE: '', REDIS_URL_FILE: '' });
    await stack.ready();
    await eventually('it suggests three requests', () => stack.curlTargets().length === 3);
    const targets = stack.curlTargets();
    expect(targets).toContain(`http://[::1]:${ports.PORT}/api/blocks/getHeight`);
    for (const target of targets) {
      expect(await (await fetch(target)).json()).toMatchObject({ success: true });
    }
    await stop(stack);
  });

  it('says in one sentence that two programs have the same port', async () => {
    const indexers = String(Number(ports.OPS_PORT) + 1);
    const stack = launch({ PORT: indexers });
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toMatch(
      new RegExp(`^Port ${indexers} is set twice: PORT, DEVNET_PORT, OPS_PORT and OPS_PORT \\+ 1`),
    );
  });

  it.each([
    ['DATABASE_URL', 'postgres//user:hunter2@127.0.0.1/index'],
    ['DATABASE_URL', 'postgres:/user:hunter2@127.0.0.1/index'],
    ['DATABASE_URL', 'postgres://user:12/hunter2@127.0.0.1/index'],
    ['REDIS_URL', 'redis//user:hunter2@127.0.0.1'],
    ['BLOCK_SOURCE', 'postgres:user:hunter2@127.0.0.1/ark'],
  ])('ends with one sentence that names %s and holds no password: %s', async (variable, value) => {
    const stack = launch({ NETWORK: 'mainnet', [variable]: value });
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toContain(variable);
    expect(stack.output).not.toContain('hunter2');
  });

  it('says in one sentence which port is in use', async () => {
    const occupant = createServer().listen(Number(ports.PORT), '127.0.0.1');
    await once(occupant, 'listening');
    const stack = launch();
    expect(await stack.ended).toBe(1);
    occupant.close();
    expect(stack.lastLine()).toBe(
      `Port ${ports.PORT} is in use: stop the program that listens there, or set PORT to another port.`,
    );
  });

  it.each([
    ['an invalid port', { PORT: 'http' }, /PORT: it must be a port number/],
    [
      'an OPS_PORT with no port after it',
      { OPS_PORT: '65535' },
      /OPS_PORT: it must be a port number from 1 to 65534/,
    ],
    ['an address that no URL can hold', { HOST: 'fe80::1%eth0' }, /HOST: it must be an address/],
    ['an unknown log level', { LOG_LEVEL: 'loud' }, /LOG_LEVEL/],
    ['a source that is out of reach', { BLOCK_SOURCE: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1/],
    ['a source of an unknown kind', { BLOCK_SOURCE: 'ftp://node.example' }, /BLOCK_SOURCE/],
    [
      'a database that is out of reach',
      { DATABASE_URL: 'postgres://me@127.0.0.1:1/none' },
      /DATABASE_URL|127\.0\.0\.1:1/,
    ],
    ['an archive without its network', { BLOCK_SOURCE: 'file:/nowhere.ndjson' }, /NETWORK|nowhere/],
  ])('ends with one sentence and code 1: %s', async (_, variables, sentence) => {
    const stack = launch(variables);
    expect(await stack.ended).toBe(1);
    expect(stack.lastLine()).toMatch(sentence);
    expect(stack.lastLine()).not.toMatch(/^\s+at /);
  });
});
