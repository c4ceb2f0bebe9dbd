import type { NamedQuery } from './named-query.js';

/** $1, $2: the head; $3: the round; $4: heights whose timestamps are wanted. */
export const SELECT_ROUND: NamedQuery = {
  name: 'round',
  text: `
SELECT r.forging_order,
       (SELECT json_object_agg(b.height, b."timestamp") FROM blocks b WHERE b.height = ANY ($4::integer[])) AS timestamps
FROM head h
LEFT JOIN rounds r ON r.round = $3
WHERE h.height = $1 AND h.block_id = $2`,
};
