import type { ClientBase } from 'pg';
import type { PastAccount, PastDelegate } from './past-answers.js';

/** The tables after the head, as history must answer about its height. Amounts are text. */
export interface State {
  readonly height: number;
  readonly supply: string;
  readonly accounts: readonly Texts<PastAccount>[];
  readonly delegates: readonly Texts<PastDelegate>[];
}

/** With text for each amount. */
export type Texts<T> = { readonly [name in keyof T]: bigint extends T[name] ? string : T[name] };

const SELECT_HEAD = 'SELECT height, supply::text FROM head';

// A key that only a registration of a multi-signature account made known is not in `public_keys`, and not in history.
const SELECT_ACCOUNTS = `
SELECT a.address, encode(k.value, 'hex') AS "publicKey", a.balance::text, a.locked::text, encode(a.vote, 'hex') AS vote,
  d.username AS "voteUsername", encode(a.second_public_key, 'hex') AS "secondPublicKey"
FROM accounts a LEFT JOIN public_keys k ON k.value = a.public_key LEFT JOIN delegates d ON d.public_key = a.vote`;

const SELECT_DELEGATES = `
SELECT array_position((SELECT delegates FROM rankings ORDER BY height DESC LIMIT 1), number) AS rank, username, encode(public_key, 'hex') AS "publicKey", address, is_resigned AS "isResigned",
  weight::text, produced_blocks AS producedblocks, missed_blocks AS missedblocks, forged_fees::text AS fees,
  forged_rewards::text AS rewards, (forged_fees + forged_rewards)::text AS forged
FROM delegates`;

/** Reads the state of an index from its tables. The index is not empty. */
export const readState = async (client: ClientBase): Promise<State> => {
  const head = await client.query<{ height: number; supply: string }>(SELECT_HEAD);
  const accounts = await client.query<State['accounts'][number]>(SELECT_ACCOUNTS);
  const delegates = await client.query<State['delegates'][number]>(SELECT_DELEGATES);
  return { ...head.rows[0]!, accounts: accounts.rows, delegates: delegates.rows };
};
