import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@roundhouse/testing';
import { DataSource } from 'typeorm';
import { entities, HeadEntity } from './entities.js';

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

  it('cover every table of the migrated schema', async () => {
    const tables: { name: string }[] = await dataSource.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'",
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(
      dataSource.entityMetadatas.map(({ tableName }) => tableName).sort(),
    );
  });

  it('keep every digit of an amount', async () => {
    const heads = dataSource.getRepository(HeadEntity);
    const supply = 13_092_005_600_000_001n;
    await heads.insert({ height: 1, blockId: '1', timestamp: 0, supply, delegateCount: 51 });
    expect((await heads.findOneByOrFail({ id: 1 })).supply).toBe(supply);
  });
});
