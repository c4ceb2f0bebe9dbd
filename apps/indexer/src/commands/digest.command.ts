import { digestTables } from '@roundhouse/storage';
import { connectDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';

/** Prints one SHA-256 a table and one over all, in the form of sha256sum. */
export const digest = async ({ DATABASE_URL }: DatabaseSettings): Promise<void> => {
  const client = await connectDatabase(DATABASE_URL);
  try {
    const { tables, sha256 } = await digestTables(client);
    for (const table of tables) console.log(`${table.sha256}  ${table.table}`);
    console.log(`${sha256}  all`);
  } finally {
    await client.end();
  }
};
