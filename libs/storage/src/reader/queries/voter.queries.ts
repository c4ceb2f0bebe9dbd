import { jsonObject, jsonRows } from './json-object.js';
import type { NamedQuery } from './named-query.js';

// Whoever votes has signed: its public key is known, and its address is made from that.
const VOTER = jsonObject({
  username: { value: 'r.username', form: 'text', isNullable: true },
  address: { value: 'r.address', form: 'plain' },
  publicKey: { value: 'r.public_key', form: 'plain' },
  balance: { value: 'r.balance', form: 'integer' },
});

/** $1, $2: the head; $3: the delegate's public key; $4: limit, null for all; $5: offset. */
export const SELECT_VOTERS: NamedQuery = {
  name: 'voters',
  text: `
SELECT d.public_key IS NOT NULL AS is_found, list.json, list.lost
FROM head h
LEFT JOIN delegates d ON d.public_key = $3
CROSS JOIN LATERAL (${jsonRows(
    VOTER,
    `SELECT a.address, a.public_key, a.balance, n.username
     FROM accounts a LEFT JOIN delegates n ON n.address = a.address
     WHERE a.vote = d.public_key
     ORDER BY a.balance DESC, a.address
     LIMIT $4 OFFSET $5`,
  )}) list
WHERE h.height = $1 AND h.block_id = $2`,
};
