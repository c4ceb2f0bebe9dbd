import type { Network } from '@roundhouse/chain';
import type { Queryable } from '../queryable.js';

const INSERT_NETWORK = `
INSERT INTO network (name, nethash, configuration) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`;

/** An index without blocks has no chain yet, so a wrong configuration can still be replaced. */
const UPDATE_NETWORK = `
UPDATE network SET name = $1, nethash = $2, configuration = $3
WHERE nethash = $2 OR NOT EXISTS (SELECT FROM head)`;

const SELECT_NETHASH = `SELECT nethash FROM network`;

/** Large amounts in milestones may be bigint; `parseNetwork` also accepts decimal text. */
const plain = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
};

/** The form that `parseNetwork` reads. */
const configurationOf = ({ settings, nethash, milestones, exceptions, customTypes }: Network): string =>
  JSON.stringify(
    {
      network: { ...settings, nethash },
      milestones,
      exceptions,
      customTypes,
    },
    plain,
  );

/**
 * Makes `network` the chain of this index. If it is already, updates the stored configuration. Returns the nethash of
 * the index: if it is not the network's, nothing was written.
 */
export const claimNetwork = async (db: Queryable, network: Network): Promise<string> => {
  const values = [network.name, network.nethash, configurationOf(network)];
  await db.query(INSERT_NETWORK, values);
  await db.query(UPDATE_NETWORK, values);
  const { rows } = await db.query<{ nethash: string }>(SELECT_NETHASH);
  return rows[0]!.nethash;
};
