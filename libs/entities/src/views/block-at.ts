import { blockIdText } from '../sql/table-sql.js';

// An index can hold what these give, because they do not change while the block is there.

const idAt = (height: string): string =>
  `(SELECT ${blockIdText('id')} FROM roundhouse.blocks WHERE height = ${height})`;

/** SQL of the id of the block below this height. */
export const idBelow = (height: string): string => `roundhouse.id_below(${height})::varchar(64)`;

/**
 * SQL of the timestamp of the block at this height. An index of transactions can be in its order, and nobody else knows that
 * later blocks are higher.
 */
export const timeAt = (height: string): string => `roundhouse.time_at(${height})`;

const LOOKS_UP = 'LANGUAGE sql IMMUTABLE STRICT SECURITY DEFINER COST 20';

/**
 * `id_below` sees what its statement sees. When COPY asks for the index's entry of a block, the block below may be a row of
 * the same COPY, which only `id_at` sees, because it is volatile. Transactions are written after their blocks.
 */
export const BLOCK_FUNCTIONS = `
CREATE OR REPLACE FUNCTION roundhouse.id_at(block integer) RETURNS text LANGUAGE sql VOLATILE
BEGIN ATOMIC
  SELECT ${idAt('block')};
END;
CREATE OR REPLACE FUNCTION roundhouse.id_below(block integer) RETURNS text ${LOOKS_UP} PARALLEL RESTRICTED
BEGIN ATOMIC
  SELECT CASE block WHEN 1 THEN '0' ELSE coalesce(${idAt('block - 1')}, roundhouse.id_at(block - 1)) END;
END;
CREATE OR REPLACE FUNCTION roundhouse.time_at(block integer) RETURNS integer ${LOOKS_UP} PARALLEL SAFE
BEGIN ATOMIC
  SELECT "timestamp" FROM roundhouse.blocks WHERE height = block;
END;`;
