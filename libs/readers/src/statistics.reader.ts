import type { BlockRef, DayStatistics } from '@roundhouse/chain';
import { blockIdText } from '@roundhouse/entities/sql';
import { dailyStatistics } from '@roundhouse/entities/tables';
import { found, pageOf, Reader, selectAtHead } from './at-head.js';
import { NoDetailsError } from './errors.js';

/** A day, also one without blocks: then it has zeros, and the supply of the day before. Amounts are in arktoshi. */
export interface DayRow extends Omit<DayStatistics, 'firstHeight'> {
  /** Null on a day without blocks. */
  readonly firstHeight: number | null;
  readonly lastHeight: number | null;
  /** Whether it is the day of the head, so that more blocks of it may come. */
  readonly isRunning: boolean;
  /** The last block before the day; null if there is none. */
  readonly below: number | null;
  readonly belowId: string | null;
}

/** Which days to list. `from` and `to` count from 1970-01-01. */
export interface DayRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  /** The height at which the page before ended. */
  readonly after?: number | undefined;
}

/** What a day without blocks has none of. */
const FIGURES = dailyStatistics.columns.filter(
  ({ property }) => !['day', 'firstHeight', 'supply'].includes(property),
);

/** $1, $2: the head; $3, $4: the first and the last day, or null; $5: how many; $6: the height of a block, or null. */
const SELECT_DAYS = selectAtHead(
  'daily-statistics',
  `known.last IS NOT NULL AS "hasStatistics", (SELECT ${blockIdText('id')} FROM blocks WHERE height = $6::integer) AS "blockIdAfter",
  listed.day, s.first_height AS "firstHeight", s.first_height + s.blocks - 1 AS "lastHeight", listed.day = known.last AS "isRunning",
  ${FIGURES.map(({ name, property }) => `coalesce(s.${name}, 0) AS "${property}"`).join(', ')}, coalesce(s.supply, before.supply) AS supply,
  before.height AS below, before.id AS "belowId"`,
  `LEFT JOIN LATERAL (SELECT min(day) AS first, max(day) AS last FROM daily_statistics) known ON true
LEFT JOIN LATERAL (SELECT least($4::integer, known.last) AS last OFFSET 0) wanted ON true
LEFT JOIN LATERAL generate_series(wanted.last, greatest($3::integer, known.first, wanted.last - $5::integer + 1), -1) listed (day) ON true
LEFT JOIN daily_statistics s ON s.day = listed.day
LEFT JOIN LATERAL (
  SELECT d.supply, b.height, ${blockIdText('b.id')} AS id FROM daily_statistics d JOIN blocks b ON b.height = d.first_height + d.blocks - 1
  WHERE d.day < listed.day ORDER BY d.day DESC LIMIT 1
) before ON true`,
  'ORDER BY listed.day DESC',
);

/** What the blocks of each day did. Every method throws `NoDetailsError` if an earlier version began the index. */
export class StatisticsReader extends Reader {
  /** The newest days first; `next` is the last of them if more follow. `blockIdAfter`: of the block at `after`. */
  async listDays(at: BlockRef, { from, to, limit, after }: DayRange) {
    type Row = DayRow & { readonly hasStatistics: boolean; readonly blockIdAfter: string | null };
    const rows = await this.rows<Row>(at, SELECT_DAYS, from ?? null, to ?? null, limit + 1, after ?? null);
    const { hasStatistics, blockIdAfter } = rows[0];
    if (!hasStatistics) throw new NoDetailsError();
    const { shown: days, last: next } = pageOf(found(rows, 'day'), limit);
    return { days, next, blockIdAfter };
  }
}
