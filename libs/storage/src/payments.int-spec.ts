import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@roundhouse/entities';
import { randomChain, snapshotTables, type TablesSnapshot } from '@roundhouse/testing';
import { IndexedChain } from './verify/indexed-chain.harness.js';

const { network, blocks } = randomChain({ seed: 42, blocks: 160 });

/** The tables as they were before payments were indexed: only recipients of transactions have numbers. */
const FORGET_PAYMENTS = `
DROP TABLE payments;
CREATE TEMPORARY TABLE direct AS
  SELECT a.number AS old, row_number() OVER (ORDER BY min(ARRAY[t.block_height, t.sequence]))::integer AS number,
    min(t.block_height) AS height, a.value
  FROM transactions t JOIN addresses a ON a.number = t.recipient GROUP BY a.number, a.value;
UPDATE transactions SET recipient = direct.number FROM direct WHERE direct.old = recipient;
DELETE FROM addresses;
INSERT INTO addresses (number, height, value) SELECT number, height, value FROM direct`;

describe('payments in an index that was filled before they were indexed', () => {
  let index: IndexedChain;
  let sound: TablesSnapshot;

  beforeAll(async () => {
    index = await IndexedChain.create(network, blocks);
    sound = await snapshotTables(index.client);
    await index.client.query(
      `${FORGET_PAYMENTS}; DELETE FROM migrations WHERE name = 'AddPayments1764400000000'`,
    );
  });
  afterAll(() => index.close());

  it('are not added while an indexer writes, which keeps numbers in memory', async () => {
    await index.client.query('SELECT pg_advisory_lock(7466502)');
    await expect(migrate(index.url)).rejects.toThrow('stop all indexers, then migrate again');
    await index.client.query('SELECT pg_advisory_unlock(7466502)');
  });

  it('are added by the migration, as if the index had been filled with them', async () => {
    expect(sound['payments']!.length).toBeGreaterThan(10);
    await migrate(index.url);
    expect(await snapshotTables(index.client)).toEqual(sound);
  });
});
