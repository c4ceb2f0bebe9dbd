import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { libraryVariables } from './compose.config.js';
import { readComposeFile } from './compose-file.js';
import { loadSettings } from './programs.js';

/**
 * These are fixed by the stack: paths and ports inside a container, and the api's second database, which is its
 * API_DATABASE_URL. deploy/dialect.compose.yml sets DIALECT_PORT.
 */
const NOT_FOR_OPERATORS =
  'HOST, PORT, OPS_PORT, DIALECT_PORT, DATA_DIR, DEVNET_PORT, DATABASE_READ_URL'.split(', ');

it.each(['indexer', 'migrate', 'restore', 'api', 'devnet'] as const)(
  'docker-compose.yml passes every setting of the %s on, and no other',
  async (name) => {
    const given = [...(readComposeFile().settingsOf.get(name) ?? [])];
    const all = Object.keys(await loadSettings(name));
    const missing = all.filter((setting) => !given.includes(setting) && !NOT_FOR_OPERATORS.includes(setting));
    const unknown = given.filter((setting) => ![...all, ...Object.keys(libraryVariables)].includes(setting));
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  },
);

const deployed = (path: string): string =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');

it('deploy/dialect.compose.yml opens the port at which nginx looks for the dialect, and publishes that of nginx', () => {
  const { services } = parse(deployed('dialect.compose.yml')) as {
    services: { api: { environment: object }; nginx: { ports: string[] } };
  };
  const [, dialectPort] = /API_DIALECT_PORT:-(\d+)/.exec(deployed('nginx/run.sh'))!;
  expect(services.api.environment).toEqual({ DIALECT_PORT: dialectPort });
  const [, port] = /listen (\d+)[^{}]*{\s*proxy_pass http:\/\/dialect;/.exec(deployed('nginx/front.conf'))!;
  const published = `\${PUBLIC_ADDRESS:-0.0.0.0}:\${PUBLIC_DIALECT_PORT:-${dialectPort}}:${port}`;
  expect(services.nginx.ports).toEqual([published]);
});
