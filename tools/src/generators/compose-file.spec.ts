import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { libraryVariables } from './compose.config.js';
import { readComposeFile } from './compose-file.js';
import { loadSettings } from './programs.js';

/**
 * These are fixed by the stack: paths and ports inside a container, and the api's second database, which is its
 * API_DATABASE_URL. deploy/core-v1.compose.yml and core-v2.compose.yml set those of the versions of Core.
 */
const NOT_FOR_OPERATORS =
  'HOST, PORT, OPS_PORT, CORE_V1_PORT, CORE_V2_PORT, CORE_V2_PREFIX, DATA_DIR, DEVNET_PORT, DATABASE_READ_URL'.split(
    ', ',
  );

it.each(['indexer', 'migrate', 'restore', 'api', 'devnet'] as const)(
  'docker-compose.yml passes every setting of the %s on, and no other',
  async (name) => {
    const given = [...(readComposeFile().settingsOf.get(name) ?? [])];
    const all = Object.keys(await loadSettings(name));
    const missing = all.filter((setting) => !given.includes(setting) && !NOT_FOR_OPERATORS.includes(setting));
    // Node reads its options itself; .env has those of the api as API_NODE_OPTIONS.
    const others = [...Object.keys(libraryVariables), 'NODE_OPTIONS'];
    const unknown = given.filter((setting) => ![...all, ...others].includes(setting));
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  },
);

interface Confined {
  readonly image: string;
  readonly build?: object;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
  readonly mem_limit?: string;
  readonly depends_on?: object;
}

const services = Object.entries(
  (
    parse(readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'), { merge: true }) as {
      readonly services: Readonly<Record<string, Confined>>;
    }
  ).services,
);

/** What a program needs that begins as root: it gives a folder to its user, and becomes that user. */
const BECOME_USER = ['CHOWN', 'FOWNER', 'SETGID', 'SETUID'];

it.each(services)('docker-compose.yml lets %s have no privileges that it does not need', (name, service) => {
  const needed: Readonly<Record<string, readonly string[]>> = {
    postgres: BECOME_USER,
    recover: BECOME_USER,
    redis: ['CHOWN', 'SETGID', 'SETUID'],
    secrets: ['DAC_OVERRIDE'],
  };
  expect(service).toMatchObject({
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    pids_limit: expect.any(Number),
    mem_limit: expect.any(String),
  });
  expect(service.cap_add ?? []).toEqual(needed[name] ?? []);
});

it('docker-compose.yml builds the image of our programs once, before any of them starts', () => {
  const ours = services.filter(([, { image }]) => image.startsWith('roundhouse:'));
  expect(ours.length).toBeGreaterThan(5);
  expect(services.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['secrets']);
  const after = new Map(services.map(([name, service]) => [name, Object.keys(service.depends_on ?? {})]));
  const waitsForSecrets = (name: string): boolean =>
    name === 'secrets' || after.get(name)!.some(waitsForSecrets);
  expect(ours.map(([name]) => [name, waitsForSecrets(name)])).toEqual(ours.map(([name]) => [name, true]));
});

const deployed = (path: string): string =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');

it.each([
  ['1', {}],
  ['2', { CORE_V2_PREFIX: null }],
] as const)(
  "deploy/core-v%s.compose.yml opens the port at which nginx looks for Core's version, and publishes that of nginx",
  (version, others) => {
    const { services } = parse(deployed(`core-v${version}.compose.yml`)) as {
      services: { api: { environment: object }; nginx: { ports: string[] } };
    };
    const setting = `CORE_V${version}_PORT`;
    const [, inside] = new RegExp(`API_${setting}:-(\\d+)`).exec(deployed('nginx/run.sh'))!;
    expect(services.api.environment).toEqual({ [setting]: inside, ...others });
    const server = new RegExp(`listen (\\d+)[^{}]*{\\s*proxy_pass http://core-v${version};`);
    const [, port] = server.exec(deployed('nginx/front.conf'))!;
    const published = `\${PUBLIC_ADDRESS:-0.0.0.0}:\${PUBLIC_${setting}:-${inside}}:${port}`;
    expect(services.nginx.ports).toEqual([published]);
  },
);

it.each(['front', 'balancer'])(
  'deploy/nginx/%s.conf lets the answers wait that are streamed in turn, on both ports that have them',
  (half) => {
    const waiting = /location ~\* (\S+) {\s*proxy_pass \S+;\s*proxy_read_timeout 300s;/g;
    const patterns = [...deployed(`nginx/${half}.conf`).matchAll(waiting)].map(([, text]) => text!);
    expect(patterns).toHaveLength(2);
    const matches = (path: string): boolean[] => patterns.map((text) => new RegExp(text, 'i').test(path));
    const streamed =
      'delegates/voters accounts/getAllAccounts accounts/genesis_1/statement history/delegates history/delegates/genesis_1/voters';
    for (const path of streamed.split(' '))
      expect([path, matches(`/api/${path}`)]).toEqual([path, [true, true]]);
    expect(matches('/api/accounts/genesis_1/transactions')).toEqual([false, false]);
  },
);

it('deploy/core-webhooks.compose.yml opens the port for webhooks to named programs, and publishes it on this machine', () => {
  const { services } = parse(deployed('core-webhooks.compose.yml')) as {
    services: Readonly<Record<string, { environment: Readonly<Record<string, string>>; ports: string[] }>>;
  };
  expect(Object.keys(services)).toEqual(['indexer']);
  const {
    CORE_WEBHOOKS_PORT: port,
    CORE_WEBHOOKS_WHITELIST: whitelist,
    ...others
  } = services['indexer']!.environment;
  // Compose itself refuses to start without it.
  expect(whitelist).toMatch(/^\$\{CORE_WEBHOOKS_WHITELIST:\?[^}]+\}$/);
  expect(others).toEqual({});
  const published = `\${CORE_WEBHOOKS_ADDRESS:-127.0.0.1}:${port}:${port}`;
  expect(services['indexer']!.ports).toEqual([published]);
});

it('deploy/sql.compose.yml publishes the database on this machine, and only its readers may log in from outside', () => {
  const { services } = parse(deployed('sql.compose.yml')) as {
    services: { migrate: { environment: object }; postgres: { ports: string[] } };
  };
  const role = 'roundhouse_sql';
  expect(services.migrate.environment).toMatchObject({ SQL_VIEWS: 'on', SQL_ROLE: role });
  expect(services.postgres.ports).toEqual(['${SQL_ADDRESS:-127.0.0.1}:${SQL_PORT:-5432}:5432']);
  const anywhere = deployed('postgres/pg_hba.conf')
    .split('\n')
    .filter((line) => /^host/.test(line) && !/\s(127\.0\.0\.1\/32|samenet)\s/.test(line));
  expect(anywhere.map((line) => line.split(/\s+/))).toEqual([
    ['host', 'roundhouse', role, 'all', 'scram-sha-256'],
  ]);
});

describe('the secrets of the containers', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roundhouse-secrets-'));
    for (const each of ['given', 'owner', 'api', 'indexer', 'redis', 'grafana'])
      mkdirSync(join(folder, each));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

  /** What a start with these variables in `.env` keeps for a program. */
  const start = (program: 'api' | 'indexer', environment: Readonly<Record<string, string>> = {}) => {
    const script = new URL('../../docker/secrets.mjs', import.meta.url).pathname;
    const env = { ...environment, GIVEN_DIR: join(folder, 'given'), SECRETS_DIR: folder };
    execFileSync(process.execPath, [script], { env });
    const [role, password, url] = ['role', 'password', 'database-url'].map((name) =>
      read(`${program}/${name}`),
    );
    // They are read-only: a later start replaces them as root.
    for (const each of ['owner', 'api', 'indexer', 'redis', 'grafana'])
      for (const name of readdirSync(join(folder, each))) chmodSync(join(folder, each, name), 0o600);
    return { role, password, url };
  };

  it('are generated once, with the usual roles', () => {
    const first = start('api');
    expect(first).toEqual({
      role: 'roundhouse_api',
      password: expect.stringMatching(/^[0-9a-f]{48}$/),
      url: `postgres://roundhouse_api:${first.password}@postgres:5432/roundhouse`,
    });
    expect(start('api')).toEqual(first);
    expect(start('indexer').role).toBe('roundhouse_indexer');
  });

  it('have the role and the password of a URL that is given, also after a start without it', () => {
    start('api');
    const url = 'postgres://mine:a%2Fb@db.example/index';
    expect(start('api', { API_DATABASE_URL: url })).toEqual({ role: 'mine', password: 'a/b', url });
    writeFileSync(join(folder, 'given', 'indexer-database-url'), `${url}\n`);
    expect(start('indexer')).toEqual({ role: 'mine', password: 'a/b', url });
    const named = { API_DATABASE_URL: url, API_ROLE: 'other', API_DATABASE_PASSWORD: 'secret' };
    expect(start('api', named)).toEqual({ role: 'other', password: 'secret', url });
  });

  it('never name the owner as the role of a program, nor what is no URL', () => {
    const url = 'postgres://owner:secret@db.example/index';
    const owner = start('api', { OWNER_DATABASE_URL: url, API_DATABASE_URL: url });
    expect(owner).toEqual({ role: 'roundhouse_api', password: expect.stringMatching(/^[0-9a-f]{48}$/), url });
    expect(start('api', { API_DATABASE_URL: 'nonsense' }).role).toBe('roundhouse_api');
  });

  it('tell migrate the roles', () => {
    const { entrypoint } = (
      parse(readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'), {
        merge: true,
      }) as { services: { migrate: { entrypoint: string[] } } }
    ).services.migrate;
    start('api', { API_DATABASE_URL: 'postgres://mine:secret@db.example/index' });
    const [command, ...args] = entrypoint.map((each) =>
      each
        .replaceAll('$$', '$')
        .replaceAll('/run/secrets', folder)
        .replace('/bin/sh /app/tools/docker/entrypoint.sh', 'printenv'),
    );
    const rolesWith = (env: Readonly<Record<string, string>>) =>
      execFileSync(command!, [...args, 'API_ROLE', 'INDEXER_ROLE'], { env, encoding: 'utf8' });
    const { PATH = '' } = process.env;
    expect(rolesWith({ PATH, API_ROLE: '' })).toBe('mine\nroundhouse_indexer\n');
    expect(rolesWith({ PATH, API_ROLE: 'other' })).toBe('other\nroundhouse_indexer\n');
  });
});
