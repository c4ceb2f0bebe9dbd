import type { NamedQuery } from './named-query.js';

/** $1, $2: the head; $3: the delegate's public key; $4: limit, null for all; $5: offset. */
export const SELECT_VOTERS: NamedQuery = {
  name: 'voters',
  text: `
SELECT d.public_key IS NOT NULL AS is_delegate, v.address, v.public_key, v.balance, n.username
FROM head h
LEFT JOIN delegates d ON d.public_key = $3
LEFT JOIN LATERAL (
  SELECT a.address, a.public_key, a.balance
  FROM accounts a
  WHERE a.vote = d.public_key
  ORDER BY a.balance DESC, a.address
  LIMIT $4 OFFSET $5
) v ON true
LEFT JOIN delegates n ON n.address = v.address
WHERE h.height = $1 AND h.block_id = $2
ORDER BY v.balance DESC, v.address`,
};
