import type { NamedQuery } from './named-query.js';

const COLUMNS = `b.height, b.id, b.version, b."timestamp", b.previous_block, b.number_of_transactions, b.total_amount,
       b.total_fee, b.reward, b.payload_length, b.payload_hash, b.generator_public_key, b.block_signature`;

/** $1, $2: the head; $3, $4: lowest and highest height. */
export const SELECT_BLOCKS: NamedQuery = {
  name: 'blocks',
  text: `
SELECT ${COLUMNS}
FROM head h
LEFT JOIN blocks b ON b.height BETWEEN $3 AND $4
WHERE h.height = $1 AND h.block_id = $2
ORDER BY b.height DESC`,
};

/** $1, $2: the head; $3: the id. */
export const SELECT_BLOCK: NamedQuery = {
  name: 'block',
  text: `
SELECT ${COLUMNS}
FROM head h
LEFT JOIN blocks b ON b.id = $3
WHERE h.height = $1 AND h.block_id = $2`,
};
