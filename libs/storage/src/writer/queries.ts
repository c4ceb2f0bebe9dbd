/** Statements of the writer. Arrays come in the order of the columns; amounts as decimal text. */

/** Amounts alone: most accounts of a batch change nothing else, and no index is touched. */
export const UPDATE_AMOUNTS = `
UPDATE accounts SET balance = changed.balance, locked = changed.locked
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS changed (address, balance, locked)
WHERE accounts.address = changed.address`;

export const UPDATE_ACCOUNTS = `
UPDATE accounts SET public_key = changed.public_key, balance = changed.balance, locked = changed.locked, vote = changed.vote
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[])
  AS changed (address, public_key, balance, locked, vote)
WHERE accounts.address = changed.address`;

export const UPSERT_DELEGATES = `
INSERT INTO delegates (public_key, address, username, weight, is_resigned, produced_blocks, missed_blocks,
  forged_fees, forged_rewards, registered_height, registered_sequence)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::boolean[], $6::int[], $7::int[],
  $8::bigint[], $9::bigint[], $10::int[], $11::int[])
ON CONFLICT (public_key) DO UPDATE SET
  weight = excluded.weight, is_resigned = excluded.is_resigned, produced_blocks = excluded.produced_blocks,
  missed_blocks = excluded.missed_blocks, forged_fees = excluded.forged_fees, forged_rewards = excluded.forged_rewards`;

export const INSERT_LOCKS = `
INSERT INTO locks (transaction_id, sender_address, recipient_address, amount)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])`;

export const DELETE_LOCKS = `DELETE FROM locks WHERE transaction_id = ANY($1::text[])`;

export const PRUNE_UNDO = [
  `DELETE FROM undo_accounts WHERE height <= $1`,
  `DELETE FROM undo_delegates WHERE height <= $1`,
  `DELETE FROM undo_locks WHERE height <= $1`,
  `DELETE FROM state_sums WHERE height < $1`,
] as const;

export const DELETE_STAGED_UP_TO = `DELETE FROM staged_ranges WHERE to_height <= $1`;

export const INSERT_HEAD = `
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO NOTHING`;

/** The fence: it moves the head only from where the batch began. */
export const MOVE_HEAD = `
UPDATE head SET height = $1, block_id = $2, "timestamp" = $3, supply = $4, delegate_count = $5, indexed_at = now(),
  revision = revision + 1
WHERE id = 1 AND height = $6 AND block_id = $7`;

export const NOTIFY_HEAD = `SELECT pg_notify('head', $1)`;

export const SELECT_HEAD = `SELECT height, block_id, "timestamp", supply FROM head`;

/** None where the index does not hold them, or another version moved the head without them. */
export const SELECT_STATE_SUMS = `SELECT accounts, delegates, locks FROM state_sums WHERE height = $1 AND block_id = $2`;

export const SELECT_DELEGATES = `
SELECT public_key, address, username, weight, is_resigned, produced_blocks, missed_blocks, forged_fees, forged_rewards,
  registered_height, registered_sequence
FROM delegates ORDER BY public_key`;

export const SELECT_ROUND_OF_HEIGHT = `
SELECT round, first_height, forging_order FROM rounds WHERE first_height <= $1 ORDER BY first_height DESC LIMIT 1`;

export const SELECT_FORGERS_SINCE = `SELECT DISTINCT generator_public_key FROM blocks WHERE height >= $1`;

/** Votes for keys that nobody has registered. */
export const SELECT_ORPHAN_WEIGHTS = `
SELECT vote, sum(balance + locked)::text AS weight  -- sums may pass 2^63; text keeps them exact
FROM accounts WHERE vote IS NOT NULL AND NOT EXISTS (SELECT FROM delegates WHERE delegates.public_key = accounts.vote)
GROUP BY vote`;

export const SELECT_ACCOUNTS = `
SELECT address, public_key, balance, locked, vote FROM accounts WHERE address = ANY($1::text[])`;

export const SELECT_LOCKS = `
SELECT transaction_id, sender_address, recipient_address, amount FROM locks WHERE transaction_id = ANY($1::text[])`;

export const SELECT_TIMESTAMPS = `SELECT height, "timestamp" FROM blocks WHERE height = ANY($1::int[])`;
