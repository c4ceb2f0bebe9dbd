import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import { createSqlViews, dropSqlViews, hasSqlViews } from './sql-views.js';

const INVALID = `SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = 'roundhouse'::regnamespace AND NOT indisvalid`;

/** As many as in 2,550,000 blocks. */
const ROUNDS = 50_000;

describe("the views of a node's tables", () => {
  const clients: Client[] = [];
  let database: TestDatabase;
  let owner: Client;
  let other: Client;

  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: database.url, options: '-c search_path=roundhouse' });
    await client.connect();
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    [owner, other] = [await connect(), await connect()];
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await database.drop();
  });

  it('are made and dropped by programs that do so at once', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await Promise.all([createSqlViews(owner), createSqlViews(other)]);
      expect(await hasSqlViews(owner)).toBe(true);
      expect((await owner.query(INVALID)).rows).toEqual([]);
      await Promise.all([dropSqlViews(owner), dropSqlViews(other)]);
      expect(await hasSqlViews(owner)).toBe(false);
    }
  });

  it('replace the indexes of an earlier version', async () => {
    await createSqlViews(owner);
    await owner.query(
      `DROP INDEX ix_sql_blocks__id_text; CREATE INDEX ix_sql_blocks__id ON blocks USING hash (encode(id, 'hex'))`,
    );
    await createSqlViews(owner);
    const { rows } = await owner.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE starts_with(relname, 'ix_sql_blocks__id')`,
    );
    expect(rows).toEqual([{ name: 'ix_sql_blocks__id_text' }]);
    await dropSqlViews(owner);
  });

  it('rebuild an index whose texts were missing when it was built', async () => {
    await createSqlViews(owner);
    const key = `02${'ab'.repeat(32)}`;
    const block = `INSERT INTO blocks (height, id, version, "timestamp", reward, generator, block_signature) VALUES (1, '\\x0102030405060708', 0, 0, 0, 1, '\\x01')`;
    await owner.query(`${block}; INSERT INTO public_keys (number, height, value) VALUES (1, 1, '\\x${key}')`);
    const found = async () => {
      await owner.query('SET enable_seqscan = off');
      const { rowCount } = await owner.query('SELECT FROM public.blocks WHERE generator_public_key = $1', [
        key,
      ]);
      await owner.query('RESET enable_seqscan');
      return rowCount;
    };
    expect(await found()).toBe(0);
    await createSqlViews(owner);
    expect(await found()).toBe(1);
    await dropSqlViews(owner);
    await owner.query('DELETE FROM blocks; DELETE FROM public_keys');
  });

  it('rebuild the indexes of transactions whose blocks were missing when they were built', async () => {
    await createSqlViews(owner);
    const key = `02${'ab'.repeat(32)}`;
    await owner.query(
      `INSERT INTO public_keys (number, height, value) VALUES (1, 1, '\\x${key}');
       INSERT INTO addresses (number, height, value) VALUES (1, 1, 'A');
       INSERT INTO transactions (block_height, sequence, id, version, type_group, type, sender, recipient, amount, fee, signature)
       VALUES (1, 0, '\\x${'cd'.repeat(32)}', 2, 1, 7, 1, 1, 0, 0, '\\x01');
       INSERT INTO blocks (height, id, version, "timestamp", reward, generator, block_signature) VALUES (1, '\\x0102030405060708', 0, 8, 0, 1, '\\x01')`,
    );
    const timed = async () =>
      (
        await owner.query<{ oid: number }>(
          `SELECT oid FROM pg_class WHERE relname ~ '^ix_sql_transactions__(.*_)?time$'`,
        )
      ).rows.map(({ oid }) => oid);
    const found = async () => {
      await owner.query('SET enable_seqscan = off');
      const counts: (number | null)[] = [];
      for (const condition of ['true', `sender_public_key = '${key}'`, `recipient_id = 'A'`])
        counts.push(
          (await owner.query(`SELECT FROM public.transactions WHERE ${condition} AND "timestamp" = 8`))
            .rowCount,
        );
      await owner.query('RESET enable_seqscan');
      return counts;
    };
    expect(await found()).toEqual([0, 0, 0]);
    const blind = await timed();
    expect(blind).toHaveLength(4);
    await createSqlViews(owner);
    expect(await found()).toEqual([1, 1, 1]);
    expect((await timed()).filter((oid) => blind.includes(oid))).toEqual([]);
    await dropSqlViews(owner);
    await owner.query(
      'DELETE FROM transactions; DELETE FROM blocks; DELETE FROM public_keys; DELETE FROM addresses',
    );
  });

  it('have another branch after a fork, and no bytes of a transaction of an unknown type', async () => {
    await createSqlViews(owner);
    const key = `02${'ab'.repeat(32)}`;
    const add = (height: number, time: number, type: number): string => `
      INSERT INTO blocks (height, id, version, "timestamp", reward, generator, block_signature)
      VALUES (${height}, substr(sha256(int4send(${time})), 1, 8), 0, ${time}, 0, 1, '\\x01');
      INSERT INTO transactions (block_height, sequence, id, version, network, type_group, type, nonce, sender, recipient, amount, fee, signature)
      VALUES (${height}, 0, sha256(int4send(${time})), 2, 23, 1, ${type}, ${height}, 1, 1, 0, 0, '\\x01');`;
    await owner.query(
      `INSERT INTO public_keys (number, height, value) VALUES (1, 1, '\\x${key}');
       INSERT INTO addresses (number, height, value) VALUES (1, 1, 'AGeYmgbg2LgGxRW2vNNJvQ88PknEJsYizC'); ${add(1, 8, 0)} ${add(2, 16, 0)} ${add(3, 24, 0)}
       DELETE FROM transactions WHERE block_height = 3; DELETE FROM blocks WHERE height = 3; ${add(3, 40, 99)}`,
    );
    await owner.query('SET enable_seqscan = off; SET enable_sort = off');
    const { rows } = await owner.query(
      `SELECT "timestamp" AS time, serialized IS NULL AS "hasNoBytes" FROM public.transactions
       WHERE sender_public_key = '${key}' AND "timestamp" > 8 ORDER BY "timestamp" DESC`,
    );
    await owner.query('RESET enable_seqscan; RESET enable_sort');
    expect(rows).toEqual([
      { time: 40, hasNoBytes: true },
      { time: 16, hasNoBytes: false },
    ]);
    await dropSqlViews(owner);
    await owner.query(
      'DELETE FROM transactions; DELETE FROM blocks; DELETE FROM public_keys; DELETE FROM addresses',
    );
  });

  it('find the block after one whose rows came together, and are only read', async () => {
    await createSqlViews(owner);
    await owner.query(
      `INSERT INTO blocks (height, id, version, "timestamp", reward, generator, block_signature)
       SELECT height, set_byte('\\x0102030405060708', 7, height), 0, height, 0, 1, '\\x01' FROM generate_series(1, 20) AS height`,
    );
    await owner.query('SET enable_seqscan = off');
    const { rows } = await owner.query<{ height: number }>(
      `SELECT after.height FROM public.blocks b, LATERAL (
         SELECT height FROM public.blocks WHERE previous_block = b.id OFFSET 0) after ORDER BY 1`,
    );
    const first = `SELECT height FROM public.blocks WHERE previous_block = '0'`;
    expect((await owner.query(first)).rows).toEqual([{ height: 1 }]);
    await owner.query('RESET enable_seqscan');
    expect(rows.map(({ height }) => height)).toEqual(Array.from({ length: 19 }, (_, place) => place + 2));
    await expect(owner.query('DELETE FROM public.blocks')).rejects.toMatchObject({ code: '55000' });
    await dropSqlViews(owner);
    await owner.query('DELETE FROM blocks');
  });

  it('keep the attributes that this version made, and make those of another one again', async () => {
    await createSqlViews(owner);
    await owner.query(
      `INSERT INTO accounts (address, number, balance, locked, nonce) VALUES ('A', 1, 0, 0, 0);
       UPDATE head SET id = id;
       UPDATE sql_wallets SET attributes = '{"kept": true}'`,
    );
    const attributes = async () =>
      (await owner.query<{ attributes: object }>('SELECT attributes FROM public.wallets')).rows;
    await createSqlViews(owner);
    expect(await attributes()).toEqual([{ attributes: { kept: true } }]);
    await owner.query(`COMMENT ON FUNCTION roundhouse.make_wallets IS 'of another version'`);
    await createSqlViews(owner);
    expect(await attributes()).toEqual([{ attributes: {} }]);
    await dropSqlViews(owner);
    await owner.query('DELETE FROM accounts');
  });

  it.each([
    ['a round', 'SELECT * FROM public.rounds WHERE round = 7 ORDER BY balance DESC'],
    ['the newest round', 'SELECT max(round) FROM public.rounds'],
    ['the newest forgers', 'SELECT * FROM public.rounds ORDER BY round DESC LIMIT 51'],
  ])('find %s among many by an index', async (_what, sql) => {
    await createSqlViews(owner);
    await owner.query(
      `INSERT INTO rounds (round, first_height, forging_order, weights)
       SELECT round, round * 51 - 50, '{1,2,3}', '{3,2,1}' FROM generate_series(1, ${ROUNDS}) AS round`,
    );
    await owner.query('ANALYZE rounds');
    const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('ix_sql_rounds__round');
    await owner.query('TRUNCATE rounds');
  });
});
