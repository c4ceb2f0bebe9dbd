import { DAY_SECONDS } from '@roundhouse/chain';
import { dailyFees } from '@roundhouse/entities/tables';
import { namesOf } from '@roundhouse/entities/sql';

/** SQL of the day of a block's timestamp. */
export const dayOf = (timestamp: string): string => `(${timestamp} / ${DAY_SECONDS})`;

/** SQL of the rows of `daily_fees`, of the transactions `t` that meet a condition. */
export const dailyFeesIn = (where: string): string => `
SELECT ${namesOf(dailyFees.columns)} FROM (
  SELECT ${dayOf('b."timestamp"')} AS day, t.type_group, t.type, min(t.block_height) AS first_height,
    count(*)::integer AS count, min(t.fee) AS min_fee, max(t.fee) AS max_fee, sum(t.fee)::bigint AS sum_fee
  FROM roundhouse.transactions t JOIN roundhouse.blocks b ON b.height = t.block_height
  WHERE ${where} GROUP BY 1, 2, 3
) AS paid`;
