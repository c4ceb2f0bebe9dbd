import { createSqlViews, dropSqlViews } from '@roundhouse/entities';
import { withClient } from '@roundhouse/local-postgres';
import type pg from 'pg';
import { rounded } from '../statistics.js';

/**
 * What the statements ask about. The busiest sender sent after the genesis block, which has more transactions here than any
 * real one; the most popular delegate has votes of most accounts, and the usual one has hundreds.
 */
const SELECT_TEXTS = `
SELECT id AS "blockId", b."timestamp" AS time, encode(a.public_key, 'hex') AS "busyKey",
  r.address, encode(r.public_key, 'hex') AS key, encode(d.public_key, 'hex') AS delegate,
  encode(u.public_key, 'hex') AS "usualDelegate"
FROM public.blocks b,
  (SELECT k.value AS public_key FROM transactions t JOIN public_keys k ON k.number = t.sender
    WHERE t.block_height > 1 GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) a,
  (SELECT * FROM accounts WHERE nonce BETWEEN 1 AND 20 ORDER BY address LIMIT 1) r,
  (SELECT * FROM delegates ORDER BY weight DESC LIMIT 1) d,
  (SELECT * FROM delegates ORDER BY weight DESC LIMIT 1 OFFSET 9) u
WHERE b.height = (SELECT height / 2 FROM head)`;

type Texts = Readonly<
  Record<'blockId' | 'busyKey' | 'address' | 'key' | 'delegate' | 'usualDelegate', string>
> & {
  readonly time: number;
};

/**
 * What programs ask a node's tables: ArkScan's pages, the payouts of core3-tbw and the reports of dpos-tax-core2.
 * Those that read everything by nature are not among them.
 */
const STATEMENTS: Readonly<Record<string, (texts: Texts) => string>> = {
  'newest blocks': () => 'blocks ORDER BY height DESC LIMIT 25',
  'newest height': () => '(SELECT max(height) FROM blocks) AS newest',
  block: ({ blockId }) => `blocks WHERE id = '${blockId}'`,
  'blocks by id': ({ blockId }) => `blocks WHERE id > '${blockId}' ORDER BY id LIMIT 500`,
  'block after': ({ blockId }) => `blocks WHERE previous_block = '${blockId}'`,
  'blocks of a forger': ({ delegate }) =>
    `blocks WHERE generator_public_key = '${delegate}' ORDER BY height DESC LIMIT 25`,
  'blocks after a time': ({ time }) => `blocks WHERE "timestamp" > ${time} ORDER BY "timestamp" LIMIT 100`,
  'newest transactions': () => 'transactions ORDER BY "timestamp" DESC, sequence DESC LIMIT 25',
  'transactions by id': () => `transactions WHERE id > '8' ORDER BY id LIMIT 500`,
  'transactions of a block': ({ blockId }) => `transactions WHERE block_id = '${blockId}' ORDER BY sequence`,
  'sent by one': ({ key }) =>
    `transactions WHERE sender_public_key = '${key}' ORDER BY "timestamp" DESC, sequence DESC LIMIT 25`,
  'sent by the busiest': ({ busyKey }) =>
    `transactions WHERE sender_public_key = '${busyKey}' ORDER BY "timestamp" DESC, sequence DESC LIMIT 25`,
  'received by one': ({ address }) =>
    `transactions WHERE recipient_id = '${address}' ORDER BY "timestamp" DESC, sequence DESC LIMIT 25`,
  'paid to one': ({ address }) =>
    `transactions WHERE asset @> '{"payments": [{"recipientId": "${address}"}]}' ORDER BY "timestamp", sequence`,
  'received in any way': ({ address }) =>
    `transactions WHERE recipient_id = '${address}' OR asset -> 'payments' @> '[{"recipientId": "${address}"}]' ORDER BY "timestamp" DESC, sequence DESC LIMIT 30`,
  'all of one': ({ key, address }) =>
    `transactions WHERE sender_public_key = '${key}' OR recipient_id = '${address}' OR asset -> 'payments' @> '[{"recipientId": "${address}"}]' ORDER BY "timestamp" DESC, sequence DESC LIMIT 25`,
  'votes for a delegate': ({ usualDelegate }) =>
    `transactions WHERE type = 3 AND type_group = 1 AND asset @> '{"votes": ["+${usualDelegate}"]}'`,
  'rare type': () => 'transactions WHERE type = 7 AND type_group = 1',
  round: () => 'rounds WHERE round = 7 ORDER BY balance DESC, public_key',
  'newest round': () => '(SELECT max(round) FROM rounds) AS newest',
  'richest wallets': () => 'wallets ORDER BY balance DESC, address LIMIT 25',
  wallet: ({ address }) => `wallets WHERE address = '${address}'`,
  'wallet by key': ({ key }) => `wallets WHERE public_key = '${key}'`,
  'delegates by rank': () =>
    `wallets WHERE attributes -> 'delegate' ->> 'username' IS NOT NULL AND (attributes -> 'delegate' ->> 'rank')::numeric <= 51 ORDER BY (attributes -> 'delegate' ->> 'rank')::numeric`,
  'voters of a delegate': ({ delegate }) =>
    `wallets WHERE attributes ->> 'vote' = '${delegate}' ORDER BY balance DESC, address LIMIT 25`,
};

/** Those of delegates have as many rows as the chain has delegates. */
const WHOLE_TABLE = /Seq Scan on (blocks|transactions|accounts|rounds)/;
const FIRST_INDEX = /(?:using|Bitmap Index Scan on) (\w+)/;

const readBy = (plan: string): string => {
  const table = WHOLE_TABLE.exec(plan)?.[1];
  return table === undefined ? (FIRST_INDEX.exec(plan)?.[1] ?? 'no index') : `all of ${table}`;
};

/** Of planning it and of running it. */
const millisecondsOf = (plan: string): number =>
  [...plan.matchAll(/^(?:Planning|Execution) Time: ([\d.]+) ms$/gm)].reduce(
    (sum, [, ms]) => sum + Number(ms),
    0,
  );

const MOST_MS = 60_000;
const QUERY_CANCELED = '57014';

/** Runs it; null if it takes too long. */
const planOf = async (client: pg.Client, sql: string): Promise<string | null> => {
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(sql);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    if ((error as { code?: unknown }).code !== QUERY_CANCELED) throw error;
    return null;
  }
};

/** Milliseconds of each statement, warm, with its planning, and what finds its rows; GB of the views' indexes. */
export const benchStatements = (databaseUrl: string) =>
  withClient(databaseUrl, async (client) => {
    const size = async (): Promise<number> =>
      (await client.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes'))
        .rows[0]!.bytes;
    const before = await size();
    await createSqlViews(client);
    const gigabytes = rounded(((await size()) - before) / 1e9, 2);
    await client.query('ANALYZE');
    const texts = (await client.query<Texts>(SELECT_TEXTS)).rows[0]!;
    await client.query(`SET statement_timeout = ${MOST_MS}; SET search_path = public`);
    const statements: Record<string, { ms: number; by: string }> = {};
    for (const [name, sqlOf] of Object.entries(STATEMENTS)) {
      const sql = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT TEXT) SELECT * FROM ${sqlOf(texts)}`;
      let plan: string | null = '';
      for (let turn = 0; turn < 3 && plan !== null; turn += 1) plan = await planOf(client, sql);
      statements[name] =
        plan === null
          ? { ms: MOST_MS, by: 'not in time' }
          : { ms: rounded(millisecondsOf(plan), 1), by: readBy(plan) };
    }
    await client.query('RESET statement_timeout; RESET search_path');
    await dropSqlViews(client);
    return { gigabytes, statements };
  });
