import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount } from '@roundhouse/chain';
import { createTestDatabase } from '@roundhouse/testing';
import { DataSource } from 'typeorm';
import { AccountEntity } from './tables/account.entity.js';
import { entities, LEDGER_TABLES, TABLES } from './tables/index.js';
import { RoundEntity } from './tables/round.entity.js';
import { TransactionEntity } from './tables/transaction.entity.js';

describe('the entities', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource({
      type: 'postgres',
      url: database.url,
      entities,
      migrationsTableName: 'migrations',
      installExtensions: false,
    }).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('match the migrated schema exactly', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('have a copy of each derived table for the checkpoint, with the same columns', async () => {
    const columnsOf = async (schema: string): Promise<unknown> =>
      dataSource.query(
        `SELECT table_name, column_name, data_type, is_nullable, collation_name, column_default
         FROM information_schema.columns WHERE table_schema = $1 AND table_name = ANY ($2)
         ORDER BY table_name, ordinal_position`,
        [schema, LEDGER_TABLES.map(({ name }) => name)],
      );
    const copies = await columnsOf('checkpoint');
    expect(copies).not.toEqual([]);
    expect(copies).toEqual(await columnsOf('roundhouse'));
  });

  it('have their columns in the order of the migrated schema', async () => {
    const rows: { name: string; columns: string[] }[] = await dataSource.query(
      `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
       FROM information_schema.columns WHERE table_schema = 'roundhouse' AND table_name <> 'migrations' GROUP BY 1`,
    );
    const described = TABLES.map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
    }));
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    expect(rows.sort(byName)).toEqual(described.sort(byName));
  });

  it('keep keys, absent keys, lists of signatures and lists of numbers', async () => {
    const [key, other] = ['02'.padEnd(66, 'a'), '03'.padEnd(66, '0')];
    const accounts = dataSource.getRepository(AccountEntity);
    const account = {
      ...newAccount('A'),
      publicKey: key,
      balance: 1n,
      nonce: 7,
      multiSignature: `02${key}${other}`,
    };
    await accounts.insert(account);
    expect(await accounts.find()).toEqual([account]);
    const rounds = dataSource.getRepository(RoundEntity);
    const round = { round: 1, firstHeight: 1, forgingOrder: [2, 1, 200_000], weights: [-1n, 2n ** 62n] };
    await rounds.insert(round);
    expect(await rounds.find()).toEqual([round]);
    const transactions = dataSource.getRepository(TransactionEntity);
    const transaction = {
      blockHeight: 1,
      sequence: 0,
      id: 'ab'.repeat(32),
      version: 2,
      typeGroup: 1,
      type: 0,
      sender: 1,
      amount: 0n,
      fee: 0n,
      signatures: [key, other, key],
    };
    await transactions.insert(transaction);
    expect(await transactions.find()).toMatchObject([transaction]);
  });
});
