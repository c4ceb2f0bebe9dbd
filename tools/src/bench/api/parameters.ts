import { withClient } from '@roundhouse/local-postgres';
import { blockIdText } from '@roundhouse/entities/sql';

/** Valid values from the index, so that each request can use another one. */
export interface Parameters {
  readonly height: number;
  readonly blockIds: readonly string[];
  readonly publicKeys: readonly string[];
  readonly usernames: readonly string[];
}

const SELECT_PARAMETERS = `
SELECT height,
  ARRAY(SELECT ${blockIdText('id')} FROM blocks WHERE height IN
    (SELECT 1 + floor(random() * head.height)::integer FROM generate_series(1, 20000))) AS "blockIds",
  ARRAY(SELECT encode(public_key, 'hex') FROM delegates ORDER BY username) AS "publicKeys",
  ARRAY(SELECT username FROM delegates ORDER BY username) AS usernames
FROM head`;

export const readParameters = (databaseUrl: string): Promise<Parameters> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Parameters>(SELECT_PARAMETERS);
    return rows[0]!;
  });
