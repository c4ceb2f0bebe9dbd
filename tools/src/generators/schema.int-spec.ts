import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { createTestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { inWorkspace } from './generated-files.js';
import { schemaSql } from './schema.js';

it('docs/schema.sql describes the migrated tables: after a migration, run npm run generate', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    expect(await readFile(inWorkspace('docs/schema.sql'), 'utf8')).toBe(await schemaSql(client));
  } finally {
    await client.end();
    await database.drop();
  }
});
