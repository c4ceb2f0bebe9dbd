import {
  CORE_TYPE_GROUP,
  multiSignatureKeyOf,
  TransactionType,
  type CertifiedAccount,
  type MultiSignature,
} from '@roundhouse/chain';
import { ACCOUNTS_BY_IMAGES, amountsAt, hexText, queryRows, voteAt } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readUndoReach } from '../writer/undo-reach.js';

type Values = Omit<Record<keyof CertifiedAccount, string>, 'address' | 'username'>;

const selectLeaves = ({ publicKey, balance, locked, nonce, vote }: Values, from: string): string => `
SELECT row_number() OVER (ORDER BY a.address) - 1 AS place,
  concat_ws(E'\\t', a.address, coalesce(${hexText(publicKey)}, ''), ${balance}, ${locked}, ${nonce},
    coalesce(${hexText(vote)}, ''), coalesce(d.username, '')) AS leaf
FROM ${from}
LEFT JOIN delegates d ON d.address = a.address AND d.registered_height <= $1`;

const BY_BEFORE_IMAGES = selectLeaves(
  { publicKey: 'a.public_key', balance: 'a.balance', locked: 'a.locked', nonce: 'a.nonce', vote: 'a.vote' },
  `${ACCOUNTS_BY_IMAGES} a`,
);

const SELECT_REGISTERED = `
SELECT asset -> 'multiSignature' AS members FROM transactions
WHERE type_group = ${CORE_TYPE_GROUP} AND type = ${TransactionType.MultiSignature} AND block_height <= $1
  AND asset -> 'multiSignatureLegacy' IS NULL`;

/** The keys of multi-signature accounts, which have a key since their registration, as bytes. */
const listSharedKeys = async (client: ClientBase, height: number): Promise<Buffer[]> => {
  const rows = await queryRows<{ members: MultiSignature }>(client, SELECT_REGISTERED, [height]);
  return rows.map(({ members }) => Buffer.from(multiSignatureKeyOf(members)!, 'hex'));
};

/**
 * An account has a key since it sent or forged for the first time, or is one of $2, and its nonce counts the transactions
 * that it has sent.
 */
const BY_HISTORY = selectLeaves(
  {
    publicKey: `CASE WHEN k.height <= $1 OR a.public_key = ANY ($2::bytea[]) THEN a.public_key END`,
    balance: 'b.balance',
    locked: 'b.locked',
    nonce: '(a.nonce - coalesce(sent.later, 0))::integer',
    vote: 'v.vote',
  },
  `accounts a
JOIN LATERAL ${amountsAt('a.number', '$1')} b ON true
LEFT JOIN LATERAL ${voteAt('a.number', '$1')} v ON true
LEFT JOIN public_keys k ON k.value = a.public_key
LEFT JOIN (
  SELECT sender, count(*) AS later FROM transactions WHERE block_height > $1 GROUP BY sender
) sent ON sent.sender = k.number`,
);

/** SQL of leaves and their places from 0 on, and its values; the first is the height. */
export interface Leaves {
  readonly select: string;
  readonly values: readonly [number, ...unknown[]];
}

/**
 * The leaves of every account after the block at `height`, by address. Before-images answer for heights that undoing can
 * reach, history for lower ones; the caller knows that one of them does.
 */
export const leavesAt = async (client: ClientBase, height: number): Promise<Leaves> => {
  const reach = await readUndoReach(client);
  if (reach !== null && height >= reach.lowest) return { select: BY_BEFORE_IMAGES, values: [height] };
  return { select: BY_HISTORY, values: [height, await listSharedKeys(client, height)] };
};
