import {
  CORE_TYPE_GROUP,
  multiSignatureKeyOf,
  TransactionType,
  type CertifiedAccount,
  type MultiSignature,
} from '@roundhouse/chain';
import { amountsAt, hexText, queryRows, voteAt } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { pagesOf } from '../pages-of.js';
import { readUndoReach } from '../writer/undo-reach.js';

type Values = Omit<Record<keyof CertifiedAccount, string>, 'address' | 'username'>;

const selectAccounts = (values: Values, joins: string, condition = 'true'): string => `
SELECT a.address, ${Object.entries(values)
  .map(([name, value]) => `${value} AS "${name}"`)
  .join(', ')}, d.username
FROM accounts a
${joins}
LEFT JOIN delegates d ON d.address = a.address AND d.registered_height <= $1
WHERE ${condition} ORDER BY a.address`;

const before = (column: string): string =>
  `CASE WHEN was.address IS NULL THEN a.${column} ELSE was.${column} END`;

/** The oldest before-image above the height $1 is the account as it was there. */
const BY_BEFORE_IMAGES = selectAccounts(
  {
    ...{ publicKey: hexText(before('public_key')), balance: before('balance'), locked: before('locked') },
    ...{ nonce: before('nonce'), vote: hexText(before('vote')) },
  },
  `LEFT JOIN (
  SELECT DISTINCT ON (address) * FROM undo_accounts WHERE height > $1 ORDER BY address, height
) was ON was.address = a.address`,
  'was.existed IS NOT FALSE',
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
const BY_HISTORY = selectAccounts(
  {
    publicKey: `CASE WHEN k.height <= $1 OR a.public_key = ANY ($2::bytea[]) THEN ${hexText('a.public_key')} END`,
    ...{ balance: 'b.balance', locked: 'b.locked' },
    nonce: '(a.nonce - coalesce(sent.later, 0))::integer',
    vote: hexText('v.vote'),
  },
  `JOIN LATERAL ${amountsAt('a.number', '$1')} b ON true
LEFT JOIN LATERAL ${voteAt('a.number', '$1')} v ON true
LEFT JOIN public_keys k ON k.value = a.public_key
LEFT JOIN (
  SELECT sender, count(*) AS later FROM transactions WHERE block_height > $1 GROUP BY sender
) sent ON sent.sender = k.number`,
);

/**
 * Every account after the block at `height`, by address, in pages. Of two indexes of one chain they are the same. Call it
 * within a transaction. Before-images answer for heights that undoing can reach, history for lower ones; the caller knows
 * that one of them does.
 */
export async function* listAccountsAt(
  client: ClientBase,
  height: number,
): AsyncGenerator<CertifiedAccount[], void> {
  const reach = await readUndoReach(client);
  if (reach !== null && height >= reach.lowest)
    yield* pagesOf<CertifiedAccount>(client, BY_BEFORE_IMAGES, [height]);
  else yield* pagesOf<CertifiedAccount>(client, BY_HISTORY, [height, await listSharedKeys(client, height)]);
}
