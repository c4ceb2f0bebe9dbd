import { isKnownType } from '@roundhouse/chain';
import { readMissingIndexes } from '@roundhouse/entities';
import type { ClientBase, Pool } from 'pg';

/** A type of the stored transactions that no program knows. */
export interface UnknownType {
  readonly typeGroup: number;
  readonly type: number;
  /** Of the block that has the first transaction of this type. */
  readonly firstHeight: number;
}

/** The first row of `ix_transactions__type` that is above the types of `alias`. */
const firstAbove = (alias: string | null): string => `
  SELECT type_group, type, block_height FROM transactions
  WHERE (type <> 0 OR type_group <> 1)${alias === null ? '' : ` AND (type_group, type) > (${alias}.type_group, ${alias}.type)`}
  ORDER BY type_group, type, block_height, sequence LIMIT 1`;

// One look into the index per type, however many transactions there are.
const SELECT_TYPES = `
WITH RECURSIVE types AS (
  (${firstAbove(null)})
  UNION ALL SELECT above.* FROM types, LATERAL (${firstAbove('types')}) AS above
)
SELECT type_group AS "typeGroup", type, block_height AS "firstHeight" FROM types`;

/** None while an index is missing: without its own, it would read the whole table. */
export const readUnknownTypes = async (db: Pool | ClientBase): Promise<UnknownType[]> => {
  if ((await readMissingIndexes(db)).length > 0) return [];
  const { rows } = await db.query<UnknownType>(SELECT_TYPES);
  return rows.filter(({ typeGroup, type }) => !isKnownType(typeGroup, type));
};
