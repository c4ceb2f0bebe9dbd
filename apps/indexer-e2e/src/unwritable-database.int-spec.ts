import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IndexUnderTest } from './index-under-test.js';
import { indexer } from './indexer-process.js';
import { IndexerRole } from './indexer-role.js';
import { recording } from './recording.js';

const role = new IndexerRole('reader');

describe('a database that takes no writes: a command is told in one sentence what to do', () => {
  let index: IndexUnderTest;
  let empty: IndexUnderTest;
  let folder: string;
  const file = (): string => join(folder, 'index.snapshot');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unwritable-'));
    index = await IndexUnderTest.synced({ ...recording('core-3.9'), ...role.settings }, '--to', '60');
    empty = await IndexUnderTest.create('postgres', recording('core-3.9'));
    expect(await index.command('snapshot', 'create', '--file', file())).toMatchObject({ code: 0 });
    await index.pool.query(
      `REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA roundhouse FROM ${role.name}`,
    );
    for (const { pool } of [index, empty]) {
      const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
      const { name } = rows[0]!;
      await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await pool.query(`ALTER ROLE ${role.name} IN DATABASE ${name} SET default_transaction_read_only = off`);
    }
  });

  afterAll(async () => {
    await index.pool.query('SET default_transaction_read_only = off');
    await role.drop(index);
    await index.close();
    await empty.close();
    await rm(folder, { recursive: true });
  });

  const READ_ONLY =
    /^PostgreSQL refuses this: cannot execute .* in a read-only transaction \(the database is read-only: name the primary in DATABASE_URL, not a replica; if it is the primary, turn default_transaction_read_only off .*\)\.\n$/;

  it.each<[words: string[], code: number, of: 'index' | 'empty']>([
    [['migrate'], 1, 'index'],
    [['run'], 1, 'index'],
    [['sync'], 1, 'index'],
    [['rebuild', '--from-genesis'], 2, 'index'],
    [['verify', '--from-genesis'], 2, 'index'],
    [['rollback', '--to', '50', '--yes'], 1, 'index'],
    [['reset', '--yes'], 1, 'index'],
    [['snapshot', 'restore', '--file', 'FILE'], 1, 'empty'],
  ])('%j of a read-only database', async (words, code, of) => {
    const { environment } = of === 'index' ? index : empty;
    const ended = await indexer(
      words.map((word) => (word === 'FILE' ? file() : word)),
      environment,
    );
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(READ_ONLY) as string });
  });

  const NO_RIGHT =
    /^PostgreSQL refuses this: permission denied for .* \(the role in DATABASE_URL lacks a right: name the owner of the tables.*\)\.\n$/;

  // That each command says what PostgreSQL refuses, the read-only database shows.
  it.each<[words: string[], code: number]>([
    [['migrate'], 1],
    [['run'], 1],
    [['rebuild', '--from-genesis'], 2],
  ])('%j with a role that may not write', async (words, code) => {
    const ended = await indexer(words, role.environmentOf(index));
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(NO_RIGHT) as string });
  });
});
