import { describe, expect, it } from '@jest/globals';
import { libraryVariables } from './compose.config.js';
import { readComposeFile } from './compose-file.js';
import { loadSettings } from './programs.js';

/**
 * These are fixed by the stack: paths and ports inside a container, and the api's second database, which is its
 * API_DATABASE_URL.
 */
const NOT_FOR_OPERATORS = ['HOST', 'PORT', 'OPS_PORT', 'DATA_DIR', 'DEVNET_PORT', 'DATABASE_READ_URL'];

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
