import { ALL_WEIGHTS_EVERY } from '@roundhouse/chain';
import type { ClientBase } from 'pg';

const misnumbered = (table: string, mentions: string): string => `
    SELECT count(*) FROM ${table} AS stored FULL JOIN (
      SELECT number, height, row_number() OVER (ORDER BY height, place) AS rank
      FROM (SELECT DISTINCT ON (number) * FROM (${mentions}) AS m ORDER BY number, height, place) AS firsts
    ) AS mentioned USING (number) WHERE mentioned.rank IS DISTINCT FROM number OR mentioned.height IS DISTINCT FROM stored.height`;

/** An index without history has no row of it. `count` counts violations in one that has history. */
const ofHistory = (table: string, count: string): string => `
    SELECT CASE WHEN has_history THEN (${count}) ELSE (SELECT count(*) FROM ${table}) END FROM head`;

/** The blocks with their day, and how many slots were missed before each. */
const DATED = `
      SELECT b.*, (b."timestamp" + epoch) / 86400 AS day, CASE WHEN b.height > 2
        THEN (b."timestamp" - lag(b."timestamp" + block_time) OVER (ORDER BY b.height)) / block_time ELSE 0 END AS missed
      FROM (SELECT configuration, extract(epoch FROM (configuration #>> '{milestones,0,epoch}')::timestamptz)::integer AS epoch FROM network) AS n
        CROSS JOIN blocks AS b CROSS JOIN LATERAL (
          SELECT (m ->> 'blocktime')::integer AS block_time FROM jsonb_array_elements(configuration -> 'milestones') AS m
          WHERE m ? 'blocktime' AND (m ->> 'height')::integer <= b.height ORDER BY (m ->> 'height')::integer DESC LIMIT 1
        ) AS t`;

/**
 * Each query counts the violations of one invariant by recomputation from the tables (protocol.md, "Invariants").
 */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'balances and locked amounts sum up to the rewards': `
    SELECT (SELECT coalesce(sum(balance + locked), 0) FROM accounts) - (SELECT coalesce(sum(reward), 0) FROM blocks)`,
  'each weight is the sum over its voters': `
    SELECT count(*) FROM delegates AS d WHERE d.weight <>
      (SELECT coalesce(sum(balance + locked), 0) FROM accounts AS a WHERE a.vote = d.public_key)`,
  'forged fees sum up to all fees': `
    SELECT (SELECT coalesce(sum(forged_fees), 0) FROM delegates) - (SELECT coalesce(sum(fee), 0) FROM transactions)`,
  'transactions are as many as the blocks state': `
    SELECT (SELECT count(*) FROM transactions) - (SELECT coalesce(sum(number_of_transactions), 0) FROM blocks)`,
  'blocks are dense from 1 to the head': `
    SELECT count(*) FROM (SELECT count(*) AS n, min(height) AS low, max(height) AS high FROM blocks) AS b, head
    WHERE b.low <> 1 OR b.high <> b.n OR head.height <> b.high
      OR head.block_id <> (SELECT id FROM blocks WHERE height = b.high)`,
  'the supply is the genesis amount and all rewards': `
    SELECT head.supply - (SELECT coalesce(total_amount, 0) FROM blocks WHERE height = 1) - (SELECT sum(reward) FROM blocks) FROM head`,
  'the delegate count is the number of delegates': `
    SELECT head.delegate_count - (SELECT count(*) FROM delegates) FROM head`,
  'delegates are numbered in the order of their registrations': `
    SELECT count(*) FROM (
      SELECT number, row_number() OVER (ORDER BY registered_height, registered_sequence) AS place FROM delegates
    ) AS d WHERE number <> place`,
  'public keys are numbered in the order in which blocks mention them': misnumbered(
    'public_keys',
    `SELECT generator AS number, height, -1 AS place FROM blocks
     UNION ALL SELECT sender, block_height, sequence FROM transactions`,
  ),
  'addresses are numbered in the order in which blocks mention them': misnumbered(
    'addresses',
    `SELECT recipient AS number, block_height AS height, ARRAY[sequence, 0] AS place FROM transactions WHERE recipient IS NOT NULL
     UNION ALL SELECT number, block_height, ARRAY[sequence, position::integer]
     FROM transactions, json_array_elements(asset -> 'payments') WITH ORDINALITY AS listed (payment, position)
       JOIN addresses ON value = payment ->> 0`,
  ),
  'each multi-payment is listed under every address that it pays': `
    SELECT count(*) FROM (
      SELECT DISTINCT payment ->> 0 AS value, block_height, sequence FROM transactions, json_array_elements(asset -> 'payments') AS payment
    ) AS expected FULL JOIN (
      SELECT value, block_height, sequence FROM payments LEFT JOIN addresses ON number = recipient
    ) AS stored USING (value, block_height, sequence) WHERE expected IS NULL OR stored IS NULL`,
  'the forgers of each round are different delegates': `
    SELECT count(*) FROM rounds WHERE cardinality(forging_order) <>
      (SELECT count(*) FROM delegates WHERE number = ANY (forging_order))`,
  'each forger of a round has the weight by which it was chosen': `
    SELECT count(*) FROM rounds, head WHERE has_details AND cardinality(weights) IS DISTINCT FROM cardinality(forging_order)`,
  'daily fees are those of the transactions': `
    SELECT count(*) FROM (
      SELECT true AS is_paid, "timestamp" / 86400 AS day, type_group, type, min(block_height) AS first_height, count(*), min(fee) AS min_fee,
        max(fee) AS max_fee, sum(fee) AS sum_fee
      FROM (SELECT b."timestamp", t.block_height, t.type_group, t.type, t.fee FROM transactions t JOIN blocks b ON b.height = t.block_height) AS listed
      WHERE (SELECT has_details FROM head) GROUP BY 2, 3, 4
    ) AS paid FULL JOIN (SELECT true AS is_kept, * FROM daily_fees) AS kept USING (day, type_group, type, first_height, count, min_fee, max_fee, sum_fee)
    WHERE is_paid IS NULL OR is_kept IS NULL`,
  'statistics of each day are those of its blocks': `
    SELECT count(*) FROM (
      WITH dated AS MATERIALIZED (${DATED}), paid AS (
        SELECT d.day, t.*, payment ->> 0 AS paid, coalesce((payment ->> 1)::bigint, 0) AS part, coalesce(place, 1) AS place
        FROM transactions AS t JOIN dated AS d ON d.height = t.block_height
          LEFT JOIN LATERAL json_array_elements(asset -> 'payments') WITH ORDINALITY AS listed (payment, place) ON true
      ), active AS (
        SELECT day, address FROM paid JOIN public_keys ON number = sender JOIN accounts ON public_key = value
        UNION SELECT day, value FROM paid JOIN addresses ON number = recipient
        UNION SELECT day, paid FROM paid WHERE paid IS NOT NULL
      )
      SELECT true AS is_due, day, min(height) AS first_height, count(*) AS blocks, sum(missed) AS missed_slots,
        coalesce(sum(number_of_transactions), 0) AS transactions, sum(reward) AS rewards,
        coalesce((SELECT sum(part) + sum(amount) FILTER (WHERE place = 1) FROM paid AS p WHERE p.day = d.day), 0) AS volume,
        coalesce((SELECT sum(fee) FROM paid AS p WHERE p.day = d.day AND place = 1), 0) AS fees,
        (SELECT count(*) FROM active AS a WHERE a.day = d.day) AS active_addresses,
        (SELECT coalesce(max(total_amount) FILTER (WHERE height = 1), 0) + sum(reward) FROM blocks WHERE height <= max(d.height)) AS supply
      FROM dated AS d WHERE EXISTS (SELECT FROM daily_statistics) GROUP BY day
    ) AS due FULL JOIN (SELECT true AS is_kept, * FROM daily_statistics) AS kept
      USING (day, first_height, blocks, missed_slots, transactions, rewards, volume, fees, active_addresses, supply)
    WHERE is_due IS NULL OR is_kept IS NULL`,
  'new accounts of all days are all accounts': `
    SELECT abs(sum(new_accounts) - (SELECT count(*) FROM accounts)) FROM daily_statistics`,
  'new accounts of each day are those whose history begins on it': `
    SELECT CASE WHEN (SELECT has_history FROM head) AND EXISTS (SELECT FROM daily_statistics) THEN (
      SELECT count(*) FROM daily_statistics AS s FULL JOIN (
        SELECT day, count(*) AS new_accounts FROM (SELECT min(height) AS height FROM history_balances GROUP BY account) AS first
          JOIN (${DATED}) AS dated USING (height) GROUP BY day
      ) AS begun USING (day) WHERE coalesce(s.new_accounts, -1) <> coalesce(begun.new_accounts, 0)
    ) END`,
  'produced blocks are the blocks of the delegates': `
    SELECT count(*) FROM delegates AS d WHERE d.produced_blocks <>
      (SELECT count(*) FROM blocks AS b JOIN public_keys AS k ON k.number = b.generator WHERE k.value = d.public_key)`,
  'accounts are numbered from 1 without gaps': `
    SELECT count(*) FROM (SELECT number, row_number() OVER (ORDER BY number) AS place FROM accounts) AS a WHERE number <> place`,
  'the newest amounts of the history are those of the accounts': ofHistory(
    'history_balances',
    `SELECT count(*) FROM accounts AS a FULL JOIN (
       SELECT DISTINCT ON (account) account AS number, balance, locked FROM history_balances ORDER BY account, height DESC
     ) AS h USING (number) WHERE (a.balance, a.locked) IS DISTINCT FROM (h.balance, h.locked)`,
  ),
  'the lasting votes of the history are those of the accounts': ofHistory(
    'history_votes',
    `SELECT count(*) FROM (SELECT number, address, vote FROM accounts WHERE vote IS NOT NULL) AS a FULL JOIN (
       SELECT account AS number, address, vote FROM history_votes WHERE until_height = 2147483647
     ) AS h USING (number) WHERE (a.address, a.vote) IS DISTINCT FROM (h.address, h.vote)`,
  ),
  'the periods of the votes of an account follow each other': ofHistory(
    'history_votes',
    `SELECT count(*) FROM (
       SELECT from_height, until_height, lead(from_height) OVER (PARTITION BY account ORDER BY from_height) AS next FROM history_votes
     ) AS v WHERE until_height <= from_height OR until_height > next`,
  ),
  'the newest values of the history are those of the delegates': ofHistory(
    'history_delegates',
    `SELECT count(*) FROM delegates AS d FULL JOIN (
       SELECT DISTINCT ON (delegate) delegate AS number, h.* FROM history_delegates AS h ORDER BY delegate, height DESC
     ) AS h USING (number)
     WHERE (d.is_resigned, d.produced_blocks, d.missed_blocks, d.forged_fees, d.forged_rewards)
       IS DISTINCT FROM (h.is_resigned, h.produced_blocks, h.missed_blocks, h.forged_fees, h.forged_rewards)`,
  ),
  'the newest weights of the history are those of the delegates': ofHistory(
    'history_weights',
    `SELECT count(*) FROM delegates AS d FULL JOIN (
       SELECT DISTINCT ON (number) number, weight FROM history_weights AS w, unnest(w.delegates, w.weights) AS listed (number, weight)
       ORDER BY number, height DESC
     ) AS h USING (number) WHERE d.weight IS DISTINCT FROM h.weight`,
  ),
  [`the history has the weights of all delegates every ${ALL_WEIGHTS_EVERY} blocks`]: ofHistory(
    'history_weights',
    `SELECT count(*) FROM generate_series(${ALL_WEIGHTS_EVERY}, head.height, ${ALL_WEIGHTS_EVERY}) AS due (height)
     WHERE (SELECT w.delegates FROM history_weights AS w WHERE w.height = due.height) IS DISTINCT FROM
       (SELECT array_agg(number ORDER BY number) FROM delegates WHERE registered_height <= due.height)`,
  ),
  'the newest ranking of the history is that of the last round end': ofHistory(
    'history_rankings',
    `SELECT count(*) FROM (SELECT * FROM rankings ORDER BY height DESC LIMIT 1) AS r
       FULL JOIN (SELECT * FROM history_rankings ORDER BY height DESC LIMIT 1) AS h USING (height, delegates)
     WHERE r.height IS NULL OR h.height IS NULL`,
  ),
  'locked amounts are the open locks of their senders': `
    SELECT count(*) FROM accounts AS a WHERE a.locked <>
      (SELECT coalesce(sum(amount), 0) FROM locks AS l WHERE l.sender_address = a.address)`,
};

/** The invariants that do not hold, with the number of violations. Empty for a sound index. */
export const findViolations = async (client: ClientBase): Promise<Record<string, string>> => {
  const violations: Record<string, string> = {};
  for (const [claim, query] of Object.entries(VIOLATIONS)) {
    const { rows } = await client.query<{ off: string }>(`SELECT coalesce((${query}), 0)::text AS off`);
    if (rows[0]?.off !== '0') violations[claim] = rows[0]?.off ?? 'no answer';
  }
  return violations;
};
