import type { ApiSettings, RunningApi } from '@roundhouse/api';
import { createTestDatabase } from '@roundhouse/testing';
import type { DataSource } from 'typeorm';
import { startApi } from './api-under-test.js';
import { openDatabase, seedChain } from './seed.js';

export interface ServedChain {
  readonly api: RunningApi;
  readonly database: DataSource;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export interface ServedChainOptions {
  readonly settings?: Partial<Record<keyof ApiSettings, string>>;
  readonly seed?: (database: DataSource) => Promise<void>;
}

/** The hand-made chain in its own database, and an api that serves it. */
export const serveChain = async ({
  settings,
  seed = seedChain,
}: ServedChainOptions = {}): Promise<ServedChain> => {
  const testDatabase = await createTestDatabase();
  const { url } = testDatabase;
  const database = await openDatabase(url);
  await seed(database);
  const api = await startApi(url, settings);
  return {
    api,
    database,
    databaseUrl: url,
    stop: async () => {
      await api.close();
      await database.destroy();
      await testDatabase.drop();
    },
  };
};
