import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { migrate } from '@roundhouse/entities';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** The rows of an index as files for COPY. */
export interface RowFiles {
  readonly folder: string;
  /** Of blocks and transactions. */
  readonly rows: number;
}

const TABLES = ['public_keys', 'addresses', 'blocks', 'transactions'];
const COUNT = 'SELECT ((SELECT count(*) FROM blocks) + (SELECT count(*) FROM transactions))::integer AS rows';

const connected = async <T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Writes the rows of an index to files. */
export const writeRowFiles = (databaseUrl: string, folder: string): Promise<RowFiles> =>
  connected(databaseUrl, async (client) => {
    mkdirSync(folder, { recursive: true });
    for (const table of TABLES)
      await pipeline(client.query(copyTo(`COPY ${table} TO STDOUT`)), createWriteStream(join(folder, table)));
    const { rows } = await client.query<{ rows: number }>(COUNT);
    return { folder, rows: rows[0]!.rows };
  });

/** Streams the rows into the same tables with the same indexes over one connection. Returns rows per second. */
export const plainCopy = async (databaseUrl: string, { folder, rows }: RowFiles): Promise<number> => {
  await migrate(databaseUrl);
  return connected(databaseUrl, async (client) => {
    const started = performance.now();
    await client.query('BEGIN');
    for (const table of TABLES) {
      const text = createReadStream(join(folder, table), { highWaterMark: 256 * 1024 });
      await pipeline(text, client.query(copyFrom(`COPY ${table} FROM STDIN`)));
    }
    await client.query('COMMIT');
    return (rows * 1_000) / (performance.now() - started);
  });
};
