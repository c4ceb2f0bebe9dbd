import type { BenchServer } from '../bench-server.js';
import type { ChainFile } from '../chain-files.js';
import { followChain, migrateForIndexer } from '../index/indexer-run.js';

/** Provides an index of the chain while its indexer keeps following the source. */
export const withIndex = async <T>(
  server: BenchServer,
  chain: ChainFile,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> => {
  const url = await server.createDatabase();
  try {
    await migrateForIndexer(url, chain);
    return await followChain(url, chain, {}, () => work(url));
  } finally {
    await server.dropDatabase(url);
  }
};
