import { blockIdText } from '../sql/table-sql.js';

const idAt = (height: string): string =>
  `(SELECT ${blockIdText('id')} FROM roundhouse.blocks WHERE height = ${height})`;

/** SQL of the id of the block below this height. An index can hold it: it does not change while the block is there. */
export const idBelow = (height: string): string => `roundhouse.id_below(${height})::varchar(64)`;

/**
 * `id_below` sees what its statement sees. When COPY asks for the index's entry of a block, the block below may be a row of
 * the same COPY, which only `id_at` sees, because it is volatile.
 */
export const BLOCK_BELOW_FUNCTIONS = `
CREATE OR REPLACE FUNCTION roundhouse.id_at(block integer) RETURNS text LANGUAGE sql VOLATILE
BEGIN ATOMIC
  SELECT ${idAt('block')};
END;
CREATE OR REPLACE FUNCTION roundhouse.id_below(block integer) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL RESTRICTED SECURITY DEFINER COST 20
BEGIN ATOMIC
  SELECT CASE block WHEN 1 THEN '0' ELSE coalesce(${idAt('block - 1')}, roundhouse.id_at(block - 1)) END;
END;`;
