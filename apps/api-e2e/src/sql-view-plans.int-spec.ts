import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildMissingIndexes, createSqlViews } from '@roundhouse/entities';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { addressOf, growTables, keyOf } from './support/large-tables.js';

const BLOCKS = 200_000;
/** Until then, one delegate forged and one account sent to one other, and never again. */
const LONG_AGO = 3_000;
const [FORGER, SENDER, RECIPIENT] = [60, 99_999, 99_998];

const BECOME_OLD = `
UPDATE blocks SET generator = ${FORGER} WHERE height <= ${LONG_AGO};
UPDATE transactions SET sender = ${SENDER}, recipient = ${RECIPIENT} WHERE block_height <= ${LONG_AGO} AND type = 0`;

const NEWEST = 'ORDER BY "timestamp" DESC, sequence DESC LIMIT 25';

/** More than a page, far less than what was long ago. */
const MOST_ROWS_REMOVED = 200;

const removedBy = (plan: string): number =>
  [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].reduce((sum, [, rows]) => sum + Number(rows), 0);

/** Statements that programs send to a node's tables, about those for whom the newest rows tell nothing. */
describe(`the views of a node's tables with ${BLOCKS} blocks`, () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url, options: '-c search_path=roundhouse' });
    await client.connect();
    await growTables(client, 1, BLOCKS);
    await client.query(BECOME_OLD);
    await buildMissingIndexes(client);
    await createSqlViews(client);
    await client.query('VACUUM ANALYZE');
    await client.query('SET search_path = public; SET jit = off');
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['the newest blocks', 'blocks ORDER BY height DESC LIMIT 25', 25],
    [
      'blocks of a forger who stopped',
      `blocks WHERE generator_public_key = '${keyOf(FORGER)}' ORDER BY height DESC LIMIT 25`,
      25,
    ],
    ['the newest transactions', `transactions ${NEWEST}`, 25],
    ['transactions by id', `transactions WHERE id > '8' ORDER BY id LIMIT 500`, 500],
    [
      'what a sender who stopped sent',
      `transactions WHERE sender_public_key = '${keyOf(SENDER)}' ${NEWEST}`,
      25,
    ],
    [
      'what was received long ago',
      `transactions WHERE recipient_id = '${addressOf(RECIPIENT)}' ${NEWEST}`,
      25,
    ],
    [
      'what one sent since a time',
      `transactions WHERE sender_public_key = '${keyOf(SENDER)}' AND "timestamp" > ${(LONG_AGO - 10) * 8} ORDER BY "timestamp" LIMIT 10`,
      10,
    ],
    ['a rare type', `transactions WHERE type = 7 AND type_group = 1 ${NEWEST}`, 6],
    [
      'the votes of a sender',
      `transactions WHERE sender_public_key = '${keyOf(2)}' AND type = 3 AND type_group = 1 ${NEWEST}`,
      null,
    ],
    ['the wallet of an address', `wallets WHERE address = '${addressOf(RECIPIENT)}'`, 1],
    ['the richest wallets', 'wallets ORDER BY balance DESC, address LIMIT 25', 25],
  ])('find %s without reading what they do not return', async (_what, sql, count) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, TIMING OFF) SELECT * FROM ${sql}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on (blocks|transactions|accounts|sql_wallets)/);
    expect([removedBy(plan) <= MOST_ROWS_REMOVED, plan]).toEqual([true, plan]);
    if (count !== null) expect((await client.query(`SELECT FROM ${sql}`)).rowCount).toBe(count);
  });
});
