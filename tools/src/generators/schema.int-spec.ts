import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { withClient } from '@roundhouse/local-postgres';
import { createTestDatabase } from '@roundhouse/testing';
import { inWorkspace } from './generated-files.js';
import { schemaSql } from './schema.js';

it('docs/schema.sql describes the migrated tables: after a migration, run npm run generate', async () => {
  const database = await createTestDatabase();
  const schema = await withClient(database.url, schemaSql).finally(() => database.drop());
  expect(await readFile(inWorkspace('docs/schema.sql'), 'utf8')).toBe(schema);
});
