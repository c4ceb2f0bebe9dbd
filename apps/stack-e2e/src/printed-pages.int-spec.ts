import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts, LocalProcess } from '@roundhouse/local-postgres';
import { eventually, makeStackFolder } from '@roundhouse/testing';
import { actsOf, addressesOf, outputLike, type Act } from './printed-pages.js';
import { processesOf } from './processes-of.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const PAGES = { tutorial: read('docs/tutorial.md'), README: read('README.md') };

/** The only commands and addresses of these pages that no reader can use here, each with what covers it. */
const NOT_RUN: readonly (readonly [what: RegExp, why: string])[] = [
  [
    /^(git clone|cd roundhouse|npm ci)\b/,
    'This workspace is what they make, and this is a test of "npm test".',
  ],
  [
    /\.example\b|\/srv\//,
    'Servers and files of the reader: npm-start.int-spec.ts, "uses the database, the source and the Redis that it is given, and ends when its indexer is killed".',
  ],
  [/^docker compose |localhost:8080/, 'They need Docker: apps/compose-e2e.'],
];
const isRun = (text: string): boolean => !NOT_RUN.some(([what]) => what.test(text));
const actsRun = (page: string): Act[] => actsOf(page).filter(({ text }) => isRun(text));

/** What stands for something in a path; the rest is as printed. */
const placeholders = (account: Record<string, string>): [what: string, value: string][] => [
  ['02…', account['publicKey']!],
  ['A…', account['address']!],
  ['{address}', account['address']!],
  ['{address, public key or username}', account['username']!],
  ['{name or key}', account['username']!],
  ['{id or height}', '330'],
];

/** Far more than a start takes: other tests may keep the machine busy. */
const READY_MS = 180_000;

let folder: string;
/** Ours for the usual ones, which the pages print. */
let ports: Map<string, string>;
let stack: LocalProcess | undefined;
let running: string;
let output = '';

const withOurPorts = (text: string): string =>
  text.replaceAll(/\b4\d{3}\b/g, (port) => ports.get(port) ?? port);
const withUsualPorts = (text: string): string =>
  [...ports].reduce((replaced, [usual, ours]) => replaced.replaceAll(`:${ours}`, `:${usual}`), text);

const environment = (): NodeJS.ProcessEnv => {
  const { PATH, HOME } = process.env;
  const [PORT, DEVNET_PORT, OPS_PORT] = ['4003', '4200', '4103'].map((usual) => ports.get(usual));
  return { PATH, HOME, CURL_HOME: folder, PORT, DEVNET_PORT, OPS_PORT };
};

const stop = async (): Promise<void> => {
  if (stack === undefined) return;
  // A terminal sends Ctrl-C to the whole group.
  process.kill(-stack.pid, 'SIGINT');
  await stack.ended;
  stack = undefined;
  expect(output.trim()).toMatch(/Stopped\.$/);
};

/** Leaves the stack alone if the same command has started it. */
const start = async (command: string): Promise<void> => {
  if (stack !== undefined && running === command) return;
  await stop();
  output = '';
  running = command;
  const hear = (text: string): void => void (output += text);
  const started = new LocalProcess('bash', ['-ec', withOurPorts(command)], {
    folder,
    environment: environment(),
    hear,
  });
  stack = started;
  const isDecided = (): boolean => output.includes('Ready.') || started.hasEnded;
  await eventually('it is ready or has ended', isDecided, READY_MS).catch((error: Error) => {
    throw new Error(`${error.message}:\n${output}`);
  });
  expect(output).toContain('Ready.');
};

/** Returns what it prints. Fails if it fails. */
const run = async ({ kind, text }: Act): Promise<string> => {
  const options = { cwd: folder, env: environment() };
  if (kind === 'command')
    return (await promisify(execFile)('bash', ['-ec', withOurPorts(text)], options)).stdout;
  const [, name] = /^\/\/ ([\w-]+\.mjs)$/m.exec(text) ?? [];
  writeFileSync(join(folder, name ?? 'printed.mjs'), withOurPorts(text));
  // A later command runs a script that has a name.
  return name === undefined
    ? (await promisify(execFile)(process.execPath, ['printed.mjs'], options)).stdout
    : '';
};

const perform = async (act: Act): Promise<void> => {
  if (/\bnpm start$/.test(act.text)) {
    await start(act.text);
    expect(withUsualPorts(output)).toMatch(outputLike(`…${act.shown ?? ''}…`));
    return;
  }
  const printed = withUsualPorts(await run(act));
  if (act.shown !== undefined) expect(printed).toMatch(outputLike(act.shown));
};

/** The folder of a reader: everything is linked to the workspace, except for what the reader makes. */
beforeAll(async () => {
  folder = makeStackFolder();
  const free = (await freePorts(5)).map(String);
  // The indexer's internal port is the one after the api's.
  ports = new Map(['4003', '4200', '4002', '4103', '4104'].map((usual, index) => [usual, free[index]!]));
  const linked = readdirSync(ROOT).filter((name) => !['.git', '.data', '.env'].includes(name));
  for (const name of linked) symlinkSync(join(ROOT, name), join(folder, name));
  // An answer with an error is a failure.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\n');
});

afterAll(async () => {
  // If a test failed: the whole group, because npm's children would outlive it.
  if (stack?.hasEnded === false) process.kill(-stack.pid, 'SIGINT');
  await eventually('no process is left', () => processesOf(folder).length === 0);
  rmSync(folder, { recursive: true, force: true });
});

it('lists as not run only what these pages print', () => {
  const printed = Object.values(PAGES).flatMap((page) => [
    ...actsOf(page).map(({ text }) => text),
    ...addressesOf(page),
  ]);
  for (const [what] of NOT_RUN) expect(printed).toContainEqual(expect.stringMatching(what));
});

describe('the tutorial', () => {
  it.each(actsRun(PAGES.tutorial))('goes on with: $title', perform);

  it('shows the output of each command, and has a script', () => {
    const [first, ...rest] = actsRun(PAGES.tutorial);
    expect(first!.text).toBe('HISTORY=full npm start');
    expect(rest.filter(({ kind }) => kind === 'script')).toHaveLength(1);
    expect(rest.filter(({ kind, shown }) => kind === 'command' && shown === undefined)).toEqual([]);
  });

  it('has a script that says in one sentence that a delegate is unknown', async () => {
    const failed = promisify(execFile)(process.execPath, ['my-payouts.mjs', 'nobody', '90', '200'], {
      cwd: folder,
    });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There was no delegate [^\n]+\n$/),
    });
  });
});

describe('the README', () => {
  it.each(actsRun(PAGES.README))('goes on with: $title', perform);
});

describe('the addresses and requests of both pages', () => {
  let account: Record<string, string>;

  const get = async (address: string): Promise<{ status: number; type: string; text: string }> => {
    const url = withOurPorts(new URL(address, 'http://127.0.0.1:4003').href);
    const stopping = new AbortController();
    const response = await fetch(url, { signal: stopping.signal });
    const type = response.headers.get('content-type') ?? '';
    // A stream has no end.
    const text = type.startsWith('text/event-stream') ? '' : await response.text();
    stopping.abort();
    return { status: response.status, type, text };
  };

  beforeAll(async () => {
    type Found = { delegates: Record<string, string>[] };
    const { delegates } = JSON.parse((await get('/api/delegates/get?username=genesis_1')).text) as Found;
    account = delegates[0]!;
  });

  it.each([...new Set(Object.values(PAGES).flatMap(addressesOf))].filter(isRun))(
    'answer: %s',
    async (printed) => {
      const address = placeholders(account).reduce(
        (text, [what, value]) => text.replace(what, encodeURIComponent(value)),
        printed,
      );
      expect(address).not.toMatch(/[{}…]/);
      const { status, type, text } = await get(address);
      expect([status, text]).toEqual([200, expect.anything()]);
      if (!address.includes('/api/') || !type.startsWith('application/json')) return;
      const lists = Object.values(JSON.parse(text) as object).filter((value) => Array.isArray(value));
      // What it asks for must be there.
      if (lists.length > 0) expect(lists.flat()).not.toEqual([]);
    },
  );
});

it('stops on Ctrl-C', stop);
