import type { BlockRef } from '@roundhouse/chain';
import { hexText, LAST_BLOCK, LAST_ID, RANK, RANKED } from '@roundhouse/entities/sql';
import { atHead, found, named } from '../at-head.js';
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
const SELECT_DELEGATE = named(
  'core-delegate',
  atHead(
    'found.*',
    `LEFT JOIN LATERAL (SELECT ${delegateOf(RANK)} FROM delegates d ${LAST_BLOCK} WHERE d.address = $3) found ON true`,
  ),
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
    return (
      Object.keys(criteria).length === 0 &&
      !orderBy.some(({ property }) => property.startsWith('blocks.last'))
    );
  }

  async findDelegate(at: BlockRef, address: string): Promise<CoreDelegateRow | undefined> {
    return found(await this.rows<CoreDelegateRow>(at, SELECT_DELEGATE, address), 'id')[0];
  }
}
