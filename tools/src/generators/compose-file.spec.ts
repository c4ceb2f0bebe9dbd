import { describe, expect, it } from '@jest/globals';
import { libraryVariables } from './compose.config.js';
import { readComposeFile } from './compose-file.js';
import { loadSettings } from './programs.js';

/** Where things are in a container is the stack's own business; the api's other database is its API_DATABASE_URL. */
const NOT_FOR_OPERATORS = ['HOST', 'PORT', 'OPS_PORT', 'DATA_DIR', 'DEVNET_PORT', 'DATABASE_READ_URL'];

describe('docker-compose.yml', () => {
  it.each(['indexer', 'migrate', 'api', 'devnet'] as const)(
    'hands every setting of the %s on',
    async (name) => {
      const given = readComposeFile().settingsOf.get(name) ?? new Set<string>();
      const all = Object.keys(await loadSettings(name)).filter(
        (setting) => !NOT_FOR_OPERATORS.includes(setting),
      );
      expect(all.filter((setting) => !given.has(setting))).toEqual([]);
    },
  );

  it('gives no program a setting that it does not have', async () => {
    for (const name of ['indexer', 'migrate', 'api', 'devnet'] as const) {
      const known = [...Object.keys(await loadSettings(name)), ...Object.keys(libraryVariables)];
      const given = [...(readComposeFile().settingsOf.get(name) ?? [])];
      expect([name, given.filter((setting) => !known.includes(setting))]).toEqual([name, []]);
    }
  });
});
