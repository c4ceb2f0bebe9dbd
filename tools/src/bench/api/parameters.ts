import { blockIdText } from '@roundhouse/storage';
import pg from 'pg';

/** Valid values from the index, so that each request can use another one. */
export interface Parameters {
  readonly height: number;
  readonly blockIds: readonly string[];
  readonly publicKeys: readonly string[];
  readonly usernames: readonly string[];
}

const BLOCK_IDS = `
SELECT ${blockIdText('id')} AS id FROM blocks WHERE height IN (SELECT 1 + floor(random() * $1)::integer FROM generate_series(1, 20000))`;

export const readParameters = async (databaseUrl: string): Promise<Parameters> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const head = await client.query<{ height: number }>('SELECT height FROM head');
    const { height } = head.rows[0]!;
    const blocks = await client.query<{ id: string }>(BLOCK_IDS, [height]);
    const delegates = await client.query<{ public_key: string; username: string }>(
      `SELECT encode(public_key, 'hex') AS public_key, username FROM delegates ORDER BY username`,
    );
    return {
      height,
      blockIds: blocks.rows.map(({ id }) => id),
      publicKeys: delegates.rows.map((row) => row.public_key),
      usernames: delegates.rows.map(({ username }) => username),
    };
  } finally {
    await client.end();
  }
};
