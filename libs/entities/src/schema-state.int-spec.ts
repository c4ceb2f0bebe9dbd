import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import { migrations, OBSOLETE_MIGRATIONS } from './migrations/index.js';
import { schemaState } from './schema-state.js';

const newest = migrations.at(-1)!.name;

describe('the state of the schema', () => {
  const databases: TestDatabase[] = [];
  const clients: Client[] = [];
  let client: Client;

  const connect = async (creating: Promise<TestDatabase>): Promise<Client> => {
    const database = await creating;
    databases.push(database);
    const connected = new Client({ connectionString: database.url });
    clients.push(connected);
    await connected.connect();
    return connected;
  };

  beforeAll(async () => {
    client = await connect(createTestDatabase());
  });

  afterAll(async () => {
    await Promise.all(clients.map((each) => each.end()));
    await Promise.all(databases.map((each) => each.drop()));
  });

  it('is known after all migrations', async () => {
    expect(await schemaState(client)).toEqual({ kind: 'known' });
  });

  it('is newer if the database has a migration that the program does not know, even if others are missing', async () => {
    await client.query("INSERT INTO migrations (timestamp, name) VALUES (9, 'AddMoons9')");
    expect(await schemaState(client)).toEqual({ kind: 'newer', unknown: ['AddMoons9'] });
    await client.query('DELETE FROM migrations WHERE name = $1', [newest]);
    expect(await schemaState(client)).toEqual({ kind: 'newer', unknown: ['AddMoons9'] });
  });

  it.each(OBSOLETE_MIGRATIONS)(
    'is obsolete on an index that %s began, and says to index again',
    async (name) => {
      await client.query('INSERT INTO migrations (timestamp, name) VALUES (1, $1)', [name]);
      const state = await schemaState(client);
      await client.query('DELETE FROM migrations WHERE timestamp = 1');
      expect(state).toEqual({ kind: 'obsolete', problem: expect.stringContaining('index again') });
    },
  );

  it('is older when a migration is missing', async () => {
    await client.query("DELETE FROM migrations WHERE name = 'AddMoons9'");
    expect(await schemaState(client)).toEqual({ kind: 'older', missing: [newest] });
  });

  it.each([
    ["tables of ours without migrations, as a node's", 'CREATE TABLE blocks (id text)'],
    [
      'other migrations',
      "CREATE TABLE migrations (id integer, name text); INSERT INTO migrations VALUES (1, 'users')",
    ],
    ['migrations of another form', 'CREATE TABLE migrations (title text)'],
  ])('is foreign if the database has %s', async (_, tables) => {
    const foreign = await connect(createEmptyDatabase());
    await foreign.query(tables);
    expect(await schemaState(foreign)).toEqual({
      kind: 'foreign',
      problem: 'The database belongs to another program: name an empty one in DATABASE_URL.',
    });
  });

  it('is older if nothing was ever migrated', async () => {
    const empty = await connect(createEmptyDatabase());
    const missing = migrations.map(({ name }) => name);
    expect(await schemaState(empty)).toEqual({ kind: 'older', missing });
  });
});
