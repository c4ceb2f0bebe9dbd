import type { BlockRef } from '@roundhouse/chain';
import { hexText, LAST_BLOCK, LAST_ID, RANK, RANKED } from '@roundhouse/entities/sql';
import { found, selectAtHead } from '../at-head.js';
import type { CoreCount, CorePage } from './core-list.js';
import { memoryField } from './memory-criteria.js';
import { MemoryListReader, type MemoryPage } from './memory-list.js';
import { timeFields } from './time-fields.js';

export interface CoreDelegateRow {
  /** The address. */
  readonly id: string;
  readonly username: string;
  readonly publicKey: string;
  /** Arktoshi. */
  readonly votes: bigint;
  /** Percent of the supply. */
  readonly approval: number;
  /** Null if it has resigned. */
  readonly rank: bigint | null;
  readonly isResigned: boolean;
  readonly produced: number;
  readonly fees: bigint;
  readonly rewards: bigint;
  /** Of the block that it forged last; null if there is none. */
  readonly lastId: string | null;
  readonly lastHeight: number | null;
  readonly lastTimestamp: number | null;
}

/**
 * Percent of the supply, rounded as JavaScript's `toFixed(2)` does: by the exact value of the double, whose few real ties go up, while C, like
 * `to_char`, rounds them to even. Source: core-kernel/src/utils/delegate-calculator.ts of Core 3.9.1.
 */
const DIGITS = `length(h.supply::text) - length(d.weight::text) + 4`;
const APPROVAL = `(SELECT CASE WHEN share * 8 = trunc(share * 8) THEN round(share::numeric, 2)
    ELSE to_char(share, 'FM999999990.00')::numeric END::float8
  FROM (SELECT div(d.weight * 10::numeric ^ (${DIGITS}), h.supply)::float8 / (10::numeric ^ (${DIGITS} - 2))::float8 AS share
    FROM head h) shares)`;

const delegateOf = (
  rank: string,
): string => `d.address AS id, d.username, ${hexText('d.public_key')} AS "publicKey",
  d.weight AS votes, ${APPROVAL} AS approval, ${rank} AS rank, d.is_resigned AS "isResigned", d.produced_blocks AS produced,
  d.forged_fees AS fees, d.forged_rewards AS rewards, ${LAST_ID} AS "lastId", last.height AS "lastHeight",
  last."timestamp" AS "lastTimestamp"`;

/** $1, $2: the head; $3: the address. */
const SELECT_DELEGATE = selectAtHead(
  'core-delegate',
  'found.*',
  `LEFT JOIN LATERAL (SELECT ${delegateOf(RANK)} FROM delegates d ${LAST_BLOCK} WHERE d.address = $3) found ON true`,
);

/** The usual order. */
export const BY_RANK = [
  { property: 'rank', direction: 'asc' },
  { property: 'publicKey', direction: 'asc' },
] as const;

/**
 * All in the usual order, in which an index has those with a rank. The rank is the place in the list, so no others are ranked.
 * $1, $2: the head; $3: limit; $4: offset.
 */
const SELECT_BY_RANK = selectAtHead(
  'core-delegates-by-rank',
  'h.delegate_count AS "totalCount", listed.*',
  `LEFT JOIN LATERAL (
  WITH active AS (
    SELECT number, false AS is_resigned, weight, public_key FROM delegates
    WHERE NOT is_resigned ORDER BY weight DESC, public_key LIMIT $3::bigint + $4::bigint)
  SELECT ${delegateOf('CASE WHEN NOT d.is_resigned THEN p.place END')} FROM (
    SELECT number, $4::bigint + row_number() OVER () AS place FROM (
      SELECT number FROM (SELECT * FROM active UNION ALL
        SELECT number, true, 0, public_key FROM delegates
        WHERE is_resigned AND (SELECT count(*) FROM active) < $3::bigint + $4::bigint) p
      ORDER BY is_resigned, weight DESC, public_key LIMIT $3::bigint OFFSET $4::bigint) p) p
  JOIN delegates d USING (number) ${LAST_BLOCK} ORDER BY p.place) listed ON true`,
);

/** Delegates as nodes of 3.x list them. */
export class CoreDelegatesReader extends MemoryListReader<CoreDelegateRow> {
  protected readonly table = {
    shape: {
      fields: {
        username: memoryField('text', 'd.username'),
        address: memoryField('text', 'd.address'),
        publicKey: memoryField('text', hexText('d.public_key')),
        votes: memoryField('amount', 'd.weight'),
        rank: memoryField('number', 'd.rank'),
        isResigned: memoryField('flag', 'd.is_resigned'),
        'blocks.produced': memoryField('number', 'd.produced_blocks'),
        'blocks.last.id': memoryField('text', `(${LAST_ID})`, LAST_BLOCK),
        'blocks.last.height': memoryField('number', 'last.height', LAST_BLOCK),
        ...timeFields('blocks.last.timestamp', 'last."timestamp"', LAST_BLOCK),
        'production.approval': memoryField('number', APPROVAL),
        'forged.fees': memoryField('amount', 'd.forged_fees'),
        'forged.rewards': memoryField('amount', 'd.forged_rewards'),
        'forged.total': memoryField('amount', '(d.forged_fees + d.forged_rewards)'),
      },
    },
    from: `${RANKED} d`,
    keys: 'd.public_key, d.rank',
    inMemory: 'd.public_key',
    columns: delegateOf('p.rank'),
    look: `JOIN delegates d ON d.public_key = p.public_key ${LAST_BLOCK}`,
  };

  /** There are few delegates. Criteria, and to look up the last block of each, cost more than to list them. */
  override isBounded({ criteria, orderBy }: MemoryPage): boolean {
    const isByLast = orderBy.some(({ property }) => property.startsWith('blocks.last'));
    return Object.keys(criteria).length === 0 && !isByLast;
  }

  override async listPage(at: BlockRef, page: MemoryPage, epoch: number): Promise<CorePage<CoreDelegateRow>> {
    const isUsual = Object.keys(page.criteria).length === 0 && page.orderBy[0] === BY_RANK[0];
    if (!isUsual) return super.listPage(at, page, epoch);
    const { limit, offset } = page;
    const rows = await this.rows<CoreDelegateRow & CoreCount>(at, SELECT_BY_RANK, limit, offset);
    return { rows: found(rows, 'id'), totalCount: rows[0].totalCount, isEstimate: false };
  }

  async findDelegate(at: BlockRef, address: string): Promise<CoreDelegateRow | undefined> {
    return found(await this.rows<CoreDelegateRow>(at, SELECT_DELEGATE, address), 'id')[0];
  }
}
