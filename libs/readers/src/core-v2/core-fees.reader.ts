import { CORE_TYPE_GROUP, DAY_SECONDS, TransactionType, type BlockRef } from '@roundhouse/chain';
import { found, Reader, selectAtHead } from '../at-head.js';
import { ABOVE_ALL_HEIGHTS } from '../history-accounts.reader.js';
import { assertDetails, HAS_DETAILS } from './details.js';

interface OneType {
  readonly typeGroup: number;
  readonly type: number;
}

/** The fees of a type: arktoshi; null if it has no transactions. */
export interface CoreFeesRow extends OneType {
  readonly avg: bigint | null;
  readonly min: bigint | null;
  readonly max: bigint | null;
  readonly sum: bigint | null;
}

const FIGURES = `round(sum(f.sum) / sum(f.count))::bigint AS avg, min(f.min)::bigint AS min, max(f.max)::bigint AS max,
  sum(f.sum)::bigint AS sum`;

const FEE = '1 AS count, t.fee AS min, t.fee AS max, t.fee AS sum';

/**
 * $1, $2: the head; $3: groups; $4: types. The last 20 transactions of each. The index of types lacks transfers. Whole rows are compared,
 * so that only it can find the others: some types have few, and to look for them by time would read all transactions.
 */
const SELECT_LAST = selectAtHead(
  'core-fees',
  'fees.*',
  `LEFT JOIN LATERAL (
  SELECT type_group AS "typeGroup", type, ${FIGURES} FROM unnest($3::integer[], $4::integer[]) AS asked (type_group, type) LEFT JOIN LATERAL (
    (SELECT ${FEE} FROM transactions t
    WHERE (t.type_group, t.type, t.block_height) >= (asked.type_group, asked.type, 0)
      AND (t.type_group, t.type, t.block_height) <= (asked.type_group, asked.type, ${ABOVE_ALL_HEIGHTS})
      AND (t.type <> ${TransactionType.Transfer} OR t.type_group <> ${CORE_TYPE_GROUP})
    ORDER BY t.type_group DESC, t.type DESC, t.block_height DESC, t.sequence DESC LIMIT 20)
    UNION ALL
    (SELECT ${FEE} FROM transactions t
    WHERE asked.type_group = ${CORE_TYPE_GROUP} AND asked.type = ${TransactionType.Transfer} AND t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${TransactionType.Transfer}
    ORDER BY t.block_height DESC, t.sequence DESC LIMIT 20)
  ) f ON true GROUP BY type_group, type
) fees ON true`,
);

/** $1, $2: the head; $3: seconds since the epoch. Whole days are summed up in a table; those of the first, partial day are read. */
const SELECT_SINCE = selectAtHead(
  'core-fees-since',
  `${HAS_DETAILS}, fees.*`,
  `LEFT JOIN LATERAL (
  SELECT type_group AS "typeGroup", type, ${FIGURES} FROM (
    SELECT type_group, type, count, min_fee AS min, max_fee AS max, sum_fee AS sum FROM daily_fees
    WHERE day >= ceil($3::bigint / ${DAY_SECONDS}.0)
    UNION ALL
    SELECT t.type_group, t.type, 1, t.fee, t.fee, t.fee FROM transactions t JOIN blocks b ON b.height = t.block_height
    WHERE b."timestamp" >= $3::bigint AND $3::bigint % ${DAY_SECONDS} <> 0
      AND t.block_height >= (SELECT min(first_height) FROM daily_fees WHERE day = $3::bigint / ${DAY_SECONDS})
      AND t.block_height < coalesce((SELECT min(first_height) FROM daily_fees WHERE day > $3::bigint / ${DAY_SECONDS}), ${ABOVE_ALL_HEIGHTS})
  ) f GROUP BY type_group, type
) fees ON true`,
);

/** Fees as nodes of 3.x sum them up. */
export class CoreFeesReader extends Reader {
  /** Of the last 20 transactions of each of these types. */
  async listLast(at: BlockRef, types: readonly OneType[]): Promise<CoreFeesRow[]> {
    const groups = types.map(({ typeGroup }) => typeGroup);
    const numbers = types.map(({ type }) => type);
    return found(await this.rows<CoreFeesRow>(at, SELECT_LAST, groups, numbers), 'type');
  }

  /** Of all blocks that are not older than this, in seconds since the epoch; types without transactions are absent. */
  async listSince(at: BlockRef, timestamp: number): Promise<CoreFeesRow[]> {
    return found(assertDetails(await this.rows<CoreFeesRow>(at, SELECT_SINCE, timestamp)), 'type');
  }
}
