import { DAY_SECONDS, sha256 } from '@roundhouse/chain';
import type pg from 'pg';
import { SUM_UP_DAYS } from './sum-up-days.js';

const ACCOUNTS = 100_000;
const DELEGATES = 200;
const ROUND = 51;

const rows = (first: string, last: string): string => `generate_series(${first}, ${last}) h`;

/** As long as an address that the api reads. */
const address = (number: string): string => `'A' || lpad(${number}::text, 24, '0')`;

/** As PostgreSQL's sha256(int4send(…)). */
export const hashOf = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return sha256(bytes);
};

/** The public key with this number. */
export const keyOf = (number: number): string => `02${hashOf(number).toString('hex')}`;

/** The address with this number. */
export const addressOf = (number: number): string => `A${String(number).padStart(24, '0')}`;

/** Accounts, keys and delegates, which do not grow with the blocks. */
const FILL_ACCOUNTS = `
INSERT INTO public_keys (number, height, value) SELECT h, 1, '\\x02'::bytea || sha256(int4send(h)) FROM ${rows('1', `${ACCOUNTS}`)};
INSERT INTO addresses (number, height, value) SELECT h, 1, ${address('h')} FROM ${rows('1', `${ACCOUNTS}`)};
INSERT INTO delegates (number, public_key, address, username, weight, is_resigned, produced_blocks, missed_blocks, forged_fees,
  forged_rewards, registered_height, registered_sequence)
SELECT h, '\\x02'::bytea || sha256(int4send(h)), ${address('h')}, 'genesis_' || h, h * 1000000, h % 10 = 0, h, 1, h, h, 1, h FROM ${rows('1', `${DELEGATES}`)};
INSERT INTO accounts (number, address, public_key, balance, locked, nonce, vote)
SELECT h, ${address('h')}, '\\x02'::bytea || sha256(int4send(h)), (h::bigint * 7919) % 1000003, 0, h % 1500,
  CASE WHEN h % 2 = 0 THEN '\\x02'::bytea || sha256(int4send(1 + h % ${DELEGATES})) END FROM ${rows('1', `${ACCOUNTS}`)};
INSERT INTO history_votes (account, from_height, until_height, address, vote)
SELECT h, 2, 2147483647, ${address('h')}, '\\x02'::bytea || sha256(int4send(1 + h % ${DELEGATES})) FROM ${rows('2', `${ACCOUNTS}`)} WHERE h % 2 = 0;
INSERT INTO history_delegates (delegate, height, produced_blocks, missed_blocks, forged_fees, forged_rewards, is_resigned)
SELECT h, 0, 0, 0, 0, 0, false FROM ${rows('1', `${DELEGATES}`)};
INSERT INTO history_weights (height, delegates, weights) SELECT 0, array_agg(h), array_agg(h) FROM ${rows('1', `${DELEGATES}`)}`;

const sender = `1 + ((h::bigint * 7919) % ${ACCOUNTS})::integer`;
const recipient = `1 + ((h::bigint * 104729) % ${ACCOUNTS})::integer`;

/**
 * Each third block has a second transaction. Those of each fourth block have no nonce, as in version 1. The first account sends each
 * hundredth; a twentieth are votes, few are multi-payments, and six old ones have a type of their own.
 */
const fillBlocks = (first: string, last: string): string => `
INSERT INTO blocks (height, id, version, "timestamp", number_of_transactions, total_amount, total_fee, reward, payload_length,
  generator, block_signature)
SELECT h, substr(sha256(int4send(h)), 1, 8), 0, h * 8, 1, 5, 1, 200000000, 32, 1 + h % ${ROUND}, sha512(int4send(h)) FROM ${rows(first, last)};
INSERT INTO transactions (block_height, sequence, id, version, type_group, type, nonce, sender, recipient, amount, fee, signature)
SELECT h, place, sha256(int4send(h) || int4send(place)), NULL, 1, CASE WHEN h % 20 = 0 THEN 3 WHEN h % 997 = 0 THEN 6 WHEN h IN (9, 99, 999) THEN 7 ELSE 0 END, CASE WHEN h % 4 <> 2 THEN h END,
  CASE WHEN h % 100 = 1 THEN 1 ELSE ${sender} END, CASE WHEN h % 20 <> 0 AND h % 997 <> 0 THEN ${recipient} END,
  h, 10000000, sha512(int4send(h)) FROM ${rows(first, last)} CROSS JOIN generate_series(0, 1) place WHERE place = 0 OR h % 3 = 0;
INSERT INTO payments (recipient, block_height, sequence) SELECT DISTINCT ${recipient} + p, h, 0 FROM ${rows(first, last)}, generate_series(1, 20) p WHERE h % 997 = 0;
INSERT INTO rounds (round, first_height, forging_order)
SELECT 1 + h / ${ROUND}, h, (SELECT array_agg(n) FROM generate_series(1, ${ROUND}) n) FROM ${rows(first, last)} WHERE h % ${ROUND} = 1;
INSERT INTO history_balances (account, height, balance, locked)
SELECT ${sender}, h, h, 0 FROM ${rows(first, last)};
INSERT INTO history_delegates (delegate, height, produced_blocks, missed_blocks, forged_fees, forged_rewards, is_resigned)
SELECT 1 + h % ${ROUND}, h, h, 0, 0, 0, false FROM ${rows(first, last)};
INSERT INTO history_weights (height, delegates, weights)
SELECT h, CASE WHEN h % 500 = 0 THEN a.all ELSE a.all[1:2] END, CASE WHEN h % 500 = 0 THEN a.all ELSE a.all[1:2] END
FROM ${rows(first, last)}, (SELECT array_agg(n) AS all FROM generate_series(1, ${DELEGATES}) n) a;
INSERT INTO history_rankings (height, delegates)
SELECT h - 1, (SELECT array_agg(n) FROM generate_series(1, ${DELEGATES}) n) FROM ${rows(first, last)} WHERE h % ${ROUND} = 1 AND h > 1`;

const moveHead = (height: number): string => `
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count, has_history)
VALUES (${height}, substr(sha256(int4send(${height})), 1, 8), ${height * 8}, 10000000000000, ${DELEGATES}, true)
ON CONFLICT (id) DO UPDATE SET height = ${height}, block_id = excluded.block_id, "timestamp" = excluded."timestamp"`;

/**
 * Adds the blocks of these heights to the tables; 200,000 take about 12 seconds. The rows have the right form, but no
 * ledger has made them.
 */
export const growTables = async (client: pg.ClientBase, from: number, to: number): Promise<void> => {
  await client.query('SET synchronous_commit = off');
  if (from === 1) await client.query(FILL_ACCOUNTS);
  await client.query(`${fillBlocks(String(from), String(to))}; ${moveHead(to)}; ${SUM_UP_DAYS}`);
};

const SUM_UP_FEES = `
INSERT INTO daily_fees (day, type_group, type, first_height, count, min_fee, max_fee, sum_fee)
SELECT b."timestamp" / ${DAY_SECONDS}, t.type_group, t.type, min(t.block_height), count(*), min(t.fee), max(t.fee), sum(t.fee)
FROM transactions t JOIN blocks b ON b.height = t.block_height GROUP BY 1, 2, 3;
UPDATE head SET has_details = true`;

/** Adds what version 2 of Core needs besides, once the tables have all their blocks. */
export const addDetails = async (client: pg.ClientBase): Promise<void> => {
  await client.query(SUM_UP_FEES);
};
