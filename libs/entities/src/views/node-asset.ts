import { NODE_ASSET } from '../sql/node-transaction.js';

/** SQL of a node's asset of the transaction `t`. A function, because no index can be on the subquery of multi-payments. */
export const NODE_ASSET_OF = (alias: string): string =>
  `roundhouse.node_asset(${['type_group', 'type', 'asset'].map((name) => `${alias}${name}`).join(', ')})`;

/** It never changes for one row: an index may hold it. */
export const NODE_ASSET_FUNCTION = `
CREATE OR REPLACE FUNCTION roundhouse.node_asset(type_group integer, type integer, asset json) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT ${NODE_ASSET} FROM (SELECT type_group, type, asset) AS t;
END;`;
