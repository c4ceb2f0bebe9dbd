import { createTestDatabase, randomChain, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { readIndexStatus } from './index-status.js';
import { claimNetwork } from './claim-network.js';

const { network } = randomChain({ seed: 1, blocks: 1 });

describe('reading the status', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  it.each(['German, DMY', 'SQL, DMY', 'Postgres, MDY', 'ISO, YMD'])(
    'returns the same moments if the database writes dates as %s',
    async (style) => {
      const writer = new pg.Client({ connectionString: database.url });
      await writer.connect();
      await claimNetwork(writer, network);
      await writer.query(`
        INSERT INTO head (height, block_id, "timestamp", supply, delegate_count, indexed_at)
          VALUES (1, '\\x0000000000000001', 0, 1, 51, '2026-02-03T04:05:06.789Z');
        INSERT INTO source_status (source, height, checked_at) VALUES ('a node', 1, '2026-12-11T10:09:08Z');
        SELECT pg_advisory_lock(77);
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET datestyle = ${style}', current_database()); END $$`);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const { head, source, writer: session } = await readIndexStatus(client, 77);
      expect(head!.indexedAt).toEqual(new Date('2026-02-03T04:05:06.789Z'));
      expect(source!.checkedAt).toEqual(new Date('2026-12-11T10:09:08Z'));
      expect(Math.abs(session!.since.getTime() - Date.now())).toBeLessThan(600_000);
      await client.end();
      await writer.end();
    },
  );

  it('names the indexes of lists that are missing', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    expect(await readIndexStatus(client, 77)).toMatchObject({ missingIndexes: [], indexBuild: null });
    await client.query('DROP INDEX ix_transactions__type, ix_blocks__generator');
    expect(await readIndexStatus(client, 77)).toMatchObject({
      missingIndexes: ['ix_blocks__generator', 'ix_transactions__type'],
    });
    await client.end();
  });
});
