import { CORE_TYPE_GROUP, LASTING, TransactionType, type BlockRef } from '@roundhouse/chain';
import { blockIdText, hexText, amountsAt, voteAt } from '@roundhouse/entities/sql';
import { found, PAST, pageOf, Reader, selectAtHead, type Past } from './at-head.js';

/** Amounts in arktoshi. */
interface Amounts {
  readonly balance: bigint;
  readonly locked: bigint;
}

interface PastAccount extends Amounts {
  readonly address: string;
  /** Null until the account has sent a transaction or forged a block. */
  readonly publicKey: string | null;
  /** Public key of a delegate, registered or not. */
  readonly vote: string | null;
  readonly voteUsername: string | null;
  readonly secondPublicKey: string | null;
}

/** The values after the block at `height`, which changed at least one of them. */
interface AccountChange extends Amounts {
  readonly height: number;
  readonly blockId: string;
  readonly vote: string | null;
}

const SELECT_REACH = selectAtHead('history-reach', PAST);

const SECOND_KEY = { type_group: String(CORE_TYPE_GROUP), type: String(TransactionType.SecondSignature) };

/** SQL of the newest registration of a second key up to the height $4, on the way through one index that `prefix` begins. */
const secondKeyBy = (prefix: Readonly<Record<string, string>>, where: string): string => {
  const names = [...Object.keys(prefix), 'block_height', 'sequence'].map((name) => `t.${name}`);
  const from = `(${names.join(', ')})`;
  const values = Object.values(prefix).join(', ');
  const rest = Object.entries({ sender: 'k.number', ...SECOND_KEY }).map(
    ([name, value]) => `t.${name} = ${value}`,
  );
  return `(SELECT t.asset->>'secondPublicKey' AS key FROM transactions t
  WHERE ${from} > (${values}, 0, -1) AND ${from} < (${values}, $4::integer + 1, -1)
    AND ${rest.join(' AND ')} AND a.second_public_key IS NOT NULL AND ${where}
  ORDER BY ${names.map((name) => `${name} DESC`).join(', ')} LIMIT 1)`;
};

// Most accounts have sent little. For the others, all second keys of the chain are fewer than what they have sent.
const MOST_SENT = 1000;
const SECOND_KEYS = `(${secondKeyBy({ sender: 'k.number' }, `a.nonce <= ${MOST_SENT}`)}
UNION ALL ${secondKeyBy(SECOND_KEY, `a.nonce > ${MOST_SENT}`)})`;

/** $1, $2: the head; $3: the address; $4: the height. */
const SELECT_PAST_ACCOUNT = selectAtHead(
  'history-account',
  `${PAST}, a.address, CASE WHEN k.height <= $4 THEN ${hexText('k.value')} END AS "publicKey", b.balance, b.locked,
  ${hexText('v.vote')} AS vote, d.username AS "voteUsername", s.key AS "secondPublicKey"`,
  `LEFT JOIN accounts a ON a.address = $3
LEFT JOIN public_keys k ON k.value = a.public_key
LEFT JOIN LATERAL ${amountsAt('a.number', '$4')} b ON true
LEFT JOIN LATERAL ${voteAt('a.number', '$4')} v ON true
LEFT JOIN LATERAL ${SECOND_KEYS} s ON true
LEFT JOIN delegates d ON d.public_key = v.vote AND d.registered_height <= $4`,
);

// Periods of one account do not overlap, so of those that began below a height, all but the newest have also ended.
/** $1, $2: the head; $3: the address; $4: the height that the page begins below; $5: the most rows. */
const SELECT_CHANGES = selectAtHead(
  'history-account-changes',
  `${PAST}, a.address, c.height, ${blockIdText('c.block_id')} AS "blockId", c.balance, c.locked, c.vote,
  (SELECT ${blockIdText('id')} FROM blocks WHERE height = $4) AS "blockIdBelow"`,
  `LEFT JOIN accounts a ON a.address = $3
LEFT JOIN LATERAL (
  WITH periods AS (
    SELECT from_height, until_height FROM history_votes
    WHERE account = a.number AND from_height < $4 ORDER BY from_height DESC LIMIT $5::integer + 1
  )
  SELECT c.height, block.id AS block_id, b.balance, b.locked, ${hexText('v.vote')} AS vote
  FROM (
    (SELECT height FROM history_balances WHERE account = a.number AND height < $4 ORDER BY height DESC LIMIT $5)
    UNION SELECT from_height FROM periods
    UNION SELECT until_height FROM periods WHERE until_height < $4
    ORDER BY height DESC LIMIT $5
  ) c
  LEFT JOIN blocks block ON block.height = c.height
  LEFT JOIN LATERAL ${amountsAt('a.number', 'c.height')} b ON true
  LEFT JOIN LATERAL ${voteAt('a.number', 'c.height')} v ON true
) c ON true`,
  'ORDER BY c.height DESC',
);

interface ChangeRow extends AccountChange {
  /** Null if there is no such account. */
  readonly address: string | null;
  /** The id of the block at the height that the page begins below; null if there is no block. */
  readonly blockIdBelow: string | null;
}

/** Below this height is every change. */
export const ABOVE_ALL_HEIGHTS = LASTING;

/** Accounts as they were. Every method throws `NoHistoryError` if the index keeps none. */
export class HistoryAccountsReader extends Reader {
  async assertHistory(at: BlockRef): Promise<void> {
    await this.row(at, SELECT_REACH);
  }

  /** Null if the chain did not know the account then. */
  async findAccount(at: BlockRef, address: string, height: number) {
    type Row = Past & PastAccount & { readonly balance: bigint | null };
    const row = await this.row<Row>(at, SELECT_PAST_ACCOUNT, address, height);
    return { found: row.balance === null ? null : row, lowestHead: row.lowestHead };
  }

  /** The newest first, below a height; `next` is where the next page continues. Null if there is no such account. */
  async listChanges(at: BlockRef, address: string, below: number, limit: number) {
    const rows = await this.rows<ChangeRow>(at, SELECT_CHANGES, address, below, limit + 1);
    const { address: known, blockIdBelow } = rows[0];
    const { shown: changes, last: next } = pageOf(found(rows, 'height'), limit);
    return known === null ? null : { changes, next, blockIdBelow };
  }
}
