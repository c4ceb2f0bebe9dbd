import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { heightGroup } from '@roundhouse/entities/tables';
import { randomChain } from '@roundhouse/testing';
import { IndexedChain } from './verify/indexed-chain.harness.js';

const { network, blocks } = randomChain({ seed: 5, blocks: 120 });

describe('the indexes for explorers', () => {
  let index: IndexedChain;
  beforeAll(async () => {
    index = await IndexedChain.create(network, blocks);
    // The tables are so small that PostgreSQL would read them as a whole, or along their primary keys, or sort all rows.
    await index.client.query(`
      SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;
      ALTER TABLE blocks DROP CONSTRAINT pk_blocks; ALTER TABLE transactions DROP CONSTRAINT pk_transactions;
      ANALYZE blocks; ANALYZE transactions`);
  });
  afterAll(() => index.close());

  const KEY = `(SELECT number FROM public_keys WHERE value = '\\x02')`;
  const NEWEST_FIRST = 'ORDER BY block_height DESC, sequence DESC LIMIT 10';

  it.each([
    [
      'ix_blocks__generator',
      `SELECT * FROM blocks WHERE generator = ${KEY} ORDER BY ${heightGroup('height')} DESC, height DESC LIMIT 10`,
    ],
    [
      'ix_transactions__sender',
      `SELECT * FROM transactions WHERE sender = ${KEY} AND block_height < 50 ${NEWEST_FIRST}`,
    ],
    [
      'ix_transactions__recipient',
      `SELECT * FROM transactions WHERE recipient = (SELECT number FROM addresses WHERE value = 'A') ${NEWEST_FIRST}`,
    ],
    ['ix_transactions__type', `SELECT * FROM transactions WHERE type_group = 1 AND type = 3 ${NEWEST_FIRST}`],
    ['ix_transactions__type', `SELECT * FROM transactions WHERE type_group = 2 AND type = 0 ${NEWEST_FIRST}`],
  ])('%s serves pages, the newest first: %s', async (name, query) => {
    const { rows } = await index.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS off) ${query}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(`Index Scan Backward using ${name}`);
    // Sorting within a block or a group of heights is cheap; sorting all rows of a sender is not.
    expect(plan).not.toMatch(/(?<!Incremental )Sort\n/);
  });
});
