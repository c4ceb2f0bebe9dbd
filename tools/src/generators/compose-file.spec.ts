import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { libraryVariables } from './compose.config.js';
import { readComposeFile } from './compose-file.js';
import { loadSettings } from './programs.js';

/**
 * These are fixed by the stack: paths and ports inside a container, and the api's second database, which is its
 * API_DATABASE_URL. deploy/dialect.compose.yml sets DIALECT_PORT.
 */
const NOT_FOR_OPERATORS = [
  'HOST',
  'PORT',
  'OPS_PORT',
  'DIALECT_PORT',
  'DATA_DIR',
  'DEVNET_PORT',
  'DATABASE_READ_URL',
];

describe('docker-compose.yml', () => {
  it.each(['indexer', 'migrate', 'restore', 'api', 'devnet'] as const)(
    'passes every setting of the %s on',
    async (name) => {
      const given = readComposeFile().settingsOf.get(name) ?? new Set<string>();
      const all = Object.keys(await loadSettings(name)).filter(
        (setting) => !NOT_FOR_OPERATORS.includes(setting),
      );
      expect(all.filter((setting) => !given.has(setting))).toEqual([]);
    },
  );

  it('passes no setting to a program that does not have it', async () => {
    for (const name of ['indexer', 'migrate', 'restore', 'api', 'devnet'] as const) {
      const known = [...Object.keys(await loadSettings(name)), ...Object.keys(libraryVariables)];
      const given = [...(readComposeFile().settingsOf.get(name) ?? [])];
      expect([name, given.filter((setting) => !known.includes(setting))]).toEqual([name, []]);
    }
  });
});

const deployed = (path: string): string =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');

describe('deploy/dialect.compose.yml', () => {
  it('opens the port at which nginx looks for the dialect, and publishes that of nginx', () => {
    const { services } = parse(deployed('dialect.compose.yml')) as {
      services: { api: { environment: object }; nginx: { ports: string[] } };
    };
    const [, dialectPort] = /API_DIALECT_PORT:-(\d+)/.exec(deployed('nginx/run.sh'))!;
    expect(services.api.environment).toEqual({ DIALECT_PORT: dialectPort });
    const [, port] = /listen (\d+)[^{}]*{\s*proxy_pass http:\/\/dialect;/.exec(deployed('nginx/front.conf'))!;
    expect(services.nginx.ports).toEqual([
      `\${PUBLIC_ADDRESS:-0.0.0.0}:\${PUBLIC_DIALECT_PORT:-${dialectPort}}:${port}`,
    ]);
  });
});
