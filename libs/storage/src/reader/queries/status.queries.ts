import { RANK } from './delegate.queries.js';
import { jsonObject, jsonRows } from './json-object.js';
import type { NamedQuery } from './named-query.js';

const DELEGATE = jsonObject({
  rank: { value: 'r.rank', form: 'integer' },
  username: { value: 'r.username', form: 'text' },
  publicKey: { value: 'r.public_key', form: 'plain' },
  address: { value: 'r.address', form: 'plain' },
  isActive: { value: 'r.is_active', form: 'flag' },
  isResigned: { value: 'r.is_resigned', form: 'flag' },
  weight: { value: 'r.weight', form: 'integer' },
  // numeric: the product passes 2^63. A chain without any supply has no shares of it.
  approval: { value: 'coalesce(div(r.weight::numeric * 10000, nullif(h.supply, 0)), 0)', form: 'integer' },
  producedblocks: { value: 'r.produced_blocks', form: 'integer' },
  missedblocks: { value: 'r.missed_blocks', form: 'integer' },
  fees: { value: 'r.forged_fees', form: 'integer' },
  rewards: { value: 'r.forged_rewards', form: 'integer' },
  forged: { value: 'r.forged_fees + r.forged_rewards', form: 'integer' },
});

/** $1, $2: the head; $3: the round whose forgers are the active ones. */
export const SELECT_STATUS_DELEGATES: NamedQuery = {
  name: 'status-delegates',
  text: `
SELECT list.json, list.lost
FROM head h CROSS JOIN LATERAL (${jsonRows(
    DELEGATE,
    `SELECT d.*, row_number() OVER (ORDER BY ${RANK}) AS rank,
       active.key IS NOT NULL AS is_active
     FROM delegates d
     LEFT JOIN (SELECT unnest(forging_order) AS key FROM rounds WHERE round = $3) active ON active.key = d.public_key
     ORDER BY ${RANK}`,
  )}) list
WHERE h.height = $1 AND h.block_id = $2`,
};

const BLOCK = jsonObject({
  height: { value: 'r.height', form: 'integer' },
  id: { value: 'r.id', form: 'plain' },
  timestamp: { value: 'r."timestamp"', form: 'integer' },
  generatorPublicKey: { value: 'r.generator_public_key', form: 'plain' },
  username: { value: 'r.username', form: 'text', isNullable: true },
  numberOfTransactions: { value: 'r.number_of_transactions', form: 'integer' },
  totalAmount: { value: 'r.total_amount', form: 'integer' },
  totalFee: { value: 'r.total_fee', form: 'integer' },
  reward: { value: 'r.reward', form: 'integer' },
  forged: { value: 'r.reward + r.total_fee', form: 'integer' },
});

/** $1, $2: the head; $3: the lowest height. */
export const SELECT_STATUS_BLOCKS: NamedQuery = {
  name: 'status-blocks',
  text: `
SELECT list.json, list.lost
FROM head h CROSS JOIN LATERAL (${jsonRows(
    BLOCK,
    `SELECT b.*, d.username FROM blocks b LEFT JOIN delegates d ON d.public_key = b.generator_public_key
     WHERE b.height >= $3 ORDER BY b.height DESC`,
  )}) list
WHERE h.height = $1 AND h.block_id = $2`,
};

/** $1, $2: the head; $3: the round; $4: its first height; $5: heights whose timestamps are wanted. */
export const SELECT_STATUS_ROUND: NamedQuery = {
  name: 'status-round',
  text: `
SELECT r.forging_order, forged.blocks,
  (SELECT json_object_agg(b.height, b."timestamp") FROM blocks b WHERE b.height = ANY ($5::integer[])) AS timestamps,
  (SELECT json_object_agg(d.public_key, d.username) FROM delegates d
   WHERE d.public_key = ANY (r.forging_order || forged.generators)) AS usernames,
  (SELECT max(sequence)::text FROM events) AS last_event_id
FROM head h
LEFT JOIN rounds r ON r.round = $3
CROSS JOIN LATERAL (
  SELECT array_agg(b.generator_public_key) AS generators,
    json_agg(json_build_object('height', b.height, 'timestamp', b."timestamp", 'publicKey', b.generator_public_key)) AS blocks
  FROM blocks b WHERE b.height >= $4
) forged
WHERE h.height = $1 AND h.block_id = $2`,
};
