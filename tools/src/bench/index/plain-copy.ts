import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buildMissingIndexes, migrate } from '@roundhouse/entities';
import { withClient } from '@roundhouse/local-postgres';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const TABLES = ['public_keys', 'addresses', 'blocks', 'transactions'];
const COUNT = 'SELECT ((SELECT count(*) FROM blocks) + (SELECT count(*) FROM transactions))::integer AS rows';

/** Writes the rows of an index to files. Returns the number of blocks and transactions. */
export const writeRowFiles = (databaseUrl: string, folder: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    mkdirSync(folder, { recursive: true });
    for (const table of TABLES)
      await pipeline(client.query(copyTo(`COPY ${table} TO STDOUT`)), createWriteStream(join(folder, table)));
    const { rows } = await client.query<{ rows: number }>(COUNT);
    return rows[0]!.rows;
  });

/**
 * Streams the rows into the same tables over one connection, then builds the indexes that an indexer builds last, too.
 * Returns the time in ms.
 */
export const plainCopyMs = async (databaseUrl: string, folder: string): Promise<number> => {
  await migrate(databaseUrl);
  return withClient(databaseUrl, async (client) => {
    const started = performance.now();
    await client.query('BEGIN');
    for (const table of TABLES) {
      const text = createReadStream(join(folder, table), { highWaterMark: 256 * 1024 });
      await pipeline(text, client.query(copyFrom(`COPY ${table} FROM STDIN`)));
    }
    await client.query('COMMIT');
    await buildMissingIndexes(client);
    return performance.now() - started;
  });
};
