import type { BlockRef, ForgedBlock } from '@roundhouse/chain';
import { blocks, bytesOf, heightGroup } from '@roundhouse/entities/tables';
import { columnOf, hexText, amountsAt } from '@roundhouse/entities/sql';
import { found, PAST, Reader, selectAtHead, type Past } from './at-head.js';
import { delegateBy, nameValues, type DelegateName } from './delegate-parts.js';

/** The weight of an account after the block at `height`, in arktoshi; 0 if it does not vote for the delegate. */
interface WeightRow {
  readonly height: number;
  readonly account: number;
  readonly weight: bigint;
  /** Null if an earlier row of the account has it. */
  readonly address: string | null;
}

/** $1, $2: the head; $3, $4: public key and username, one of them null; $5, $6: the range; $7: the most rows. */
const SELECT_FORGED = selectAtHead(
  'payouts-forged',
  `${PAST}, ${hexText('d.public_key')} AS "publicKey", b.height, b.reward, ${columnOf('b', blocks, 'totalFee')} AS fees`,
  `${delegateBy('$3', '$4', '$6')}
LEFT JOIN public_keys k ON k.value = d.public_key
LEFT JOIN LATERAL (
  SELECT height, reward, total_fee FROM blocks
  WHERE generator = k.number AND ${heightGroup('height')} BETWEEN ${heightGroup('$5')} AND ${heightGroup('$6')}
    AND height BETWEEN $5 AND $6
  ORDER BY ${heightGroup('height')}, height LIMIT $7
) b ON true`,
  'ORDER BY b.height',
);

// OFFSET 0 keeps the planner from reading the whole table of balances.
/** $1, $2: the head; $3: the delegate's public key; $4, $5: the first and the last height; $6: the most rows. */
const SELECT_WEIGHTS = selectAtHead(
  'payouts-weights',
  `${PAST}, w.height, w.account, w.weight, w.address`,
  `LEFT JOIN (
  WITH periods AS MATERIALIZED (
  SELECT account, address, greatest(from_height, $4::integer) AS from_height, until_height
  FROM history_votes WHERE vote = $3 AND from_height <= $5 AND until_height > $4
), weights AS (
  SELECT p.from_height AS height, p.account, b.balance + b.locked AS weight, p.address
  FROM periods p CROSS JOIN LATERAL ${amountsAt('p.account', 'p.from_height')} b
  UNION ALL
  SELECT b.height, p.account, b.balance + b.locked, NULL
  FROM periods p CROSS JOIN LATERAL (
    SELECT height, balance, locked FROM history_balances b
    WHERE b.account = p.account AND b.height > p.from_height AND b.height < p.until_height AND b.height <= $5
    OFFSET 0
  ) b
  UNION ALL
  SELECT p.until_height, p.account, 0, NULL FROM periods p WHERE p.until_height <= $5
) SELECT * FROM weights LIMIT $6) w ON true`,
  'ORDER BY w.height',
);

/** What payouts are computed from. Every method throws `NoHistoryError` if the index keeps no history. */
export class PayoutsReader extends Reader {
  /** The blocks that a delegate forged, ascending; undefined if it was not registered at the end of the range. */
  async findForged(at: BlockRef, delegate: DelegateName, range: { from: number; to: number }, most: number) {
    type Row = Past & ForgedBlock & { readonly publicKey: string | null };
    const rows = await this.rows<Row>(at, SELECT_FORGED, ...nameValues(delegate), range.from, range.to, most);
    const { publicKey, lowestHead } = rows[0];
    if (publicKey === null) return undefined;
    return { found: { publicKey, blocks: found(rows, 'height') }, lowestHead };
  }

  /**
   * The weights of all voters of a delegate after the block at `first`, and each change up to `last`, by height: at most
   * `most` of them, and if there are more, any.
   */
  async listWeights(at: BlockRef, publicKey: string, first: number, last: number, most: number) {
    const key = bytesOf('hex', publicKey);
    return found(await this.rows<WeightRow>(at, SELECT_WEIGHTS, key, first, last, most), 'height');
  }
}
