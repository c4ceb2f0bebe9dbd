import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { FolderInUseError } from './local-postgres.error.js';
import { processStart } from './process-identity.js';
import { startLocalPostgres, type LocalPostgres, type LocalPostgresOptions } from './start-local-postgres.js';
import { waitUntil } from './wait-until.js';

const root = mkdtempSync(join(tmpdir(), 'local-postgres-'));
chmodSync(root, 0o711);
const children: ChildProcess[] = [];
const orphans: number[] = [];
const servers: LocalPostgres[] = [];
let folders = 0;

const newFolder = (): string => join(root, `folder-${folders++}`);
/** Most tests start from what the test before them has left here, because a new cluster takes seconds. */
const home = newFolder();
const pidFileOf = (folder: string): string => join(folder, 'cluster', 'data', 'postmaster.pid');
const postmasterPid = (folder = home): number => Number.parseInt(readFileSync(pidFileOf(folder), 'utf8'), 10);
const isAlive = (pid: number): boolean => processStart(pid) !== null;

/** It is stopped after the test. */
const start = async (options: LocalPostgresOptions = {}): Promise<LocalPostgres> => {
  const server = await startLocalPostgres({ directory: home, ...options });
  servers.push(server);
  return server;
};

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

const FIXTURE = `
import { startLocalPostgres } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
const [, directory, binaries] = process.argv;
await startLocalPostgres({ directory, binaries });
console.log('started');
setInterval(() => undefined, 1000);
`;

/** Another process that starts a server and keeps it running until it is killed. */
const startElsewhere = async (folder = home, ...binaries: string[]): Promise<ChildProcess> => {
  const hooks = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;
  const options = ['--conditions=@roundhouse/source', '--import', hooks, '--input-type=module'];
  const parent = spawn(process.execPath, [...options, '-e', FIXTURE, folder, ...binaries], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(parent);
  await once(parent.stdout, 'data');
  return parent;
};

const argumentsOf = (pid: string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
};

/** Kills the parent of a server, but first the shell that would otherwise stop the server. */
const orphan = async (folder: string, parent: ChildProcess): Promise<number> => {
  const pid = postmasterPid(folder);
  const guards = readdirSync('/proc').filter((each) => {
    const [program = '', ...given] = argumentsOf(each);
    return program.endsWith('/sh') && given.includes('guard') && given.includes(String(pid));
  });
  expect(guards).toHaveLength(1);
  process.kill(Number(guards[0]), 'SIGKILL');
  await kill(parent);
  orphans.push(pid);
  return pid;
};

const kill = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

describe('a local PostgreSQL', () => {
  afterEach(async () => {
    for (const child of children.splice(0))
      if (child.exitCode === null && child.signalCode === null) await kill(child);
    for (const pid of orphans.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    for (const server of servers.splice(0)) await server.stop();
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('speaks UTF-8, sorts by code point and asks for its password', async () => {
    const { url } = await start();
    const [settings] = await query(
      url,
      `SELECT pg_encoding_to_char(encoding) AS encoding, datcollate FROM pg_database WHERE datname = current_database()`,
    );
    expect(settings).toEqual({ encoding: 'UTF8', datcollate: 'C' });
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(query(wrong.toString(), 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('leaves no process behind when it is stopped, also if stopped twice, and resumes with a port and settings', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS height');
    const pid = postmasterPid();
    await Promise.all([first.stop(), first.stop()]);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(home, 'owner.json'))).toBe(false);
    const port = Number(new URL(first.url).port);
    const second = await start({ port, settings: { max_connections: 17 } });
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT height FROM kept')).toEqual([{ height: 7 }]);
    expect(await query(second.url, 'SHOW max_connections')).toEqual([{ max_connections: '17' }]);
  });

  it('resumes after an immediate stop with everything that was committed', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE committed AS SELECT 1 AS one');
    await first.stop('immediate');
    const again = await start();
    expect(readFileSync(join(home, 'server.log'), 'utf8')).toContain('was not properly shut down');
    expect(await query(again.url, 'SELECT one FROM committed')).toEqual([{ one: 1 }]);
  });

  it('refuses a folder that a running process holds, and names that process', async () => {
    await start();
    await expect(start()).rejects.toThrow(new FolderInUseError(home, process.pid));
  });

  it('ends with its parent, however the parent ends', async () => {
    const parent = await startElsewhere();
    const pid = postmasterPid();
    await kill(parent);
    expect(await waitUntil(() => !isAlive(pid), 60_000)).toBe(true);
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('ends the server that a killed parent has just left behind, and starts again', async () => {
    const parent = await startElsewhere();
    const left = postmasterPid();
    await kill(parent);
    await start();
    expect(isAlive(left)).toBe(false);
    expect(postmasterPid()).not.toBe(left);
  });

  it('ends the server that a killed parent left behind even if its programs and its folder have blanks in their paths', async () => {
    const directory = join(newFolder(), 'with a blank');
    const plain = await start({ directory });
    const programs = dirname(readlinkSync(`/proc/${postmasterPid(directory)}/exe`));
    await plain.stop();
    const binaries = join(root, 'my programs');
    symlinkSync(programs, binaries);
    const parent = await startElsewhere(directory, binaries);
    const left = await orphan(directory, parent);
    expect(isAlive(left)).toBe(true);
    const next = await start({ directory, binaries });
    expect(isAlive(left)).toBe(false);
    expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('reports a server that ends by itself, and not one that is stopped', async () => {
    const first = await start();
    const pid = postmasterPid();
    process.kill(pid, 'SIGKILL');
    await expect(first.ended).rejects.toThrow('PostgreSQL ended by itself (SIGKILL): read ');
    await first.stop();
    // The next start does not mind the file.
    expect(postmasterPid()).toBe(pid);
    const second = await start();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.stop();
    await expect(second.ended).resolves.toBeUndefined();
  });

  it('does not touch a process that has the number of an old server', async () => {
    const first = await start();
    const pidFile = readFileSync(pidFileOf(home), 'utf8');
    await first.stop();
    const bystander = spawn('sleep', ['600'], { stdio: 'ignore' });
    children.push(bystander);
    writeFileSync(pidFileOf(home), pidFile.replace(/^\d+/, String(bystander.pid)));
    await start();
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  it("uses another folder if the database's user cannot reach the requested one, and the same one next time", async () => {
    const closed = newFolder();
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    const directory = join(closed, 'postgres');
    const first = await start({ directory });
    try {
      expect(first.directory).not.toBe(directory);
      await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS height');
      await first.stop();
      const second = await start({ directory });
      expect(second.directory).toBe(first.directory);
      expect(await query(second.url, 'SELECT height FROM kept')).toEqual([{ height: 7 }]);
      await second.stop();
    } finally {
      chmodSync(closed, 0o700);
      rmSync(first.directory, { recursive: true, force: true });
    }
  });

  it('names the PostgreSQL version that made a folder which this version cannot read', async () => {
    await (await start()).stop();
    writeFileSync(join(home, 'cluster', 'data', 'PG_VERSION'), '12\n');
    await expect(start()).rejects.toThrow('was made by PostgreSQL 12');
  });

  it('replaces what an interrupted initdb left behind', async () => {
    const data = join(home, 'cluster', 'data');
    rmSync(data, { recursive: true });
    mkdirSync(`${data}.half`);
    writeFileSync(join(`${data}.half`, 'PG_VERSION'), '18\n');
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
