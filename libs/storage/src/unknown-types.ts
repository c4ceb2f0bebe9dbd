import { isKnownType, type KnownType } from '@roundhouse/chain';
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

/** $1, $2: type groups and types. */
const SELECT_FIRST_MOVED = `
SELECT first.type_group AS "typeGroup", first.type, first.block_height AS "firstHeight"
FROM unnest($1::bigint[], $2::bigint[]) AS asked (type_group, type) CROSS JOIN LATERAL (
  SELECT type_group, type, block_height FROM transactions
  WHERE (type <> 0 OR type_group <> 1) AND type_group = asked.type_group AND type = asked.type
    AND amount > 0 AND recipient IS NOT NULL
  ORDER BY type_group, type, block_height LIMIT 1
) AS first ORDER BY first.block_height LIMIT 1`;

/** The first stored transaction of these types with an amount that could move; null if there is none. */
export const findFirstMoved = async (
  db: Pool | ClientBase,
  types: readonly KnownType[],
): Promise<UnknownType | null> => {
  if (types.length === 0) return null;
  const { rows } = await db.query<UnknownType>(SELECT_FIRST_MOVED, [
    types.map(({ typeGroup }) => typeGroup),
    types.map(({ type }) => type),
  ]);
  return rows[0] ?? null;
};
