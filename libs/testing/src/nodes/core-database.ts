import { decodeTransaction, storedBytes } from '@roundhouse/blocks';
import { forgedPayloadOf } from '@roundhouse/forging';
import pg from 'pg';
import { exactJson } from '@roundhouse/core-node';
import { parseLosslessJson } from '@roundhouse/chain';
import { readRecording, type RecordedChain, type Recording } from '../recordings.js';

const BLOCKS = `
  CREATE TABLE blocks (
    id varchar(64) PRIMARY KEY, version smallint NOT NULL, "timestamp" integer UNIQUE NOT NULL,
    previous_block varchar(64) UNIQUE, height integer UNIQUE NOT NULL, number_of_transactions integer NOT NULL,
    total_amount bigint NOT NULL, total_fee bigint NOT NULL, reward bigint NOT NULL, payload_length integer NOT NULL,
    payload_hash varchar(64) NOT NULL, generator_public_key varchar(66) NOT NULL, block_signature varchar(256) NOT NULL
  )`;

const transactions = (ownColumns: string): string => `
  CREATE TABLE transactions (
    id varchar(64) PRIMARY KEY, version smallint NOT NULL, block_id varchar(64) NOT NULL,
    sequence smallint NOT NULL, "timestamp" integer NOT NULL, sender_public_key varchar(66) NOT NULL,
    recipient_id varchar(36), type smallint NOT NULL, amount bigint NOT NULL, fee bigint NOT NULL,
    serialized bytea NOT NULL, asset jsonb, ${ownColumns}
  )`;

/** The columns that the migrations of Core's line create, with only those constraints that affect reading. */
const TABLES: Readonly<Record<Recording, readonly string[]>> = {
  'core-2.4': [
    BLOCKS,
    transactions('vendor_field_hex bytea'),
    `CREATE TABLE rounds (id serial PRIMARY KEY, public_key varchar(66) NOT NULL, balance bigint NOT NULL,
      round bigint NOT NULL, UNIQUE (round, public_key))`,
  ],
  'core-3.9': [
    BLOCKS,
    transactions(
      `vendor_field bytea, type_group integer NOT NULL DEFAULT 1, nonce bigint NOT NULL, block_height integer NOT NULL`,
    ),
    `CREATE TABLE rounds (public_key varchar(66) NOT NULL, balance bigint NOT NULL, round bigint NOT NULL,
      PRIMARY KEY (round, public_key))`,
  ],
};

/** PostgreSQL converts each value to its column's type and ignores values without a column. */
const load = (table: string): string =>
  `INSERT INTO ${table} SELECT (json_populate_record(NULL::${table}, row)).* FROM json_array_elements($1::json) AS row`;

/** Fills an empty database with the tables of the node that forged a recorded chain, with its column types. */
export const loadCoreDatabase = async (url: string, recording: RecordedChain): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of TABLES[recording === 'core-3.9' ? recording : 'core-2.4'])
      await client.query(statement);
    for (const table of ['blocks', 'transactions', 'rounds']) {
      const rows = readRecording(recording, `core-database-${table}.ndjson.gz`);
      await client.query(load(table), [exactJson(rows)]);
    }
  } finally {
    await client.end();
  }
};

const INSERT_LINES = [
  `INSERT INTO blocks SELECT l->>'id', (l->>'version')::smallint, (l->>'timestamp')::integer, l->>'previousBlock',
     (l->>'height')::integer, (l->>'numberOfTransactions')::integer, (l->>'totalAmount')::bigint,
     (l->>'totalFee')::bigint, (l->>'reward')::bigint, (l->>'payloadLength')::integer, l->>'payloadHash',
     l->>'generatorPublicKey', l->>'blockSignature'
   FROM json_array_elements($1::json) AS l`,
  `INSERT INTO transactions (id, version, block_id, sequence, "timestamp", sender_public_key, recipient_id, type,
     amount, fee, serialized, asset, type_group, nonce, block_height)
   SELECT t->>'id', (t->>'version')::smallint, block_id, sequence - 1, "timestamp", t->>'senderPublicKey',
     t->>'recipientId', (t->>'type')::smallint, (t->>'amount')::bigint, (t->>'fee')::bigint, decode(t->>'serialized', 'hex'), (t->'asset')::jsonb,
     coalesce((t->>'typeGroup')::integer, 1), coalesce((t->>'nonce')::bigint, 0), height
   FROM (
     SELECT l->>'id' AS block_id, (l->>'timestamp')::integer AS "timestamp", (l->>'height')::integer AS height,
       l->'transactions' AS list
     FROM json_array_elements($1::json) AS l OFFSET 0
   ) AS blocks, json_array_elements(list) WITH ORDINALITY AS transactions (t, sequence)`,
];

/** The line with `serialized` in each transaction. */
const withSerialised = (line: string): string => {
  const raw = parseLosslessJson(line) as { readonly transactions: readonly object[] };
  const transactions = raw.transactions.map((transaction) => {
    const decoded = decodeTransaction(transaction);
    const bytes = storedBytes(decoded, decoded.network!, forgedPayloadOf);
    return { ...transaction, serialized: bytes.toString('hex') };
  });
  return exactJson({ ...raw, transactions });
};

const onDatabase = async (url: string, work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
};

const insertLines = async (client: pg.Client, lines: readonly string[]): Promise<void> => {
  for (const statement of INSERT_LINES)
    await client.query(statement, [`[${lines.map(withSerialised).join(',')}]`]);
};

/** Fills an empty database with the tables of a 3.9 node that has the blocks of an archive's lines. */
export const loadCoreLines = (url: string, lines: readonly string[]): Promise<void> =>
  onDatabase(url, async (client) => {
    for (const statement of TABLES['core-3.9']) await client.query(statement);
    await insertLines(client, lines);
  });

/** Puts one block in place of those above `height`, even one that the constraints of a node's tables refuse. */
export const replaceCoreHead = (url: string, height: number, line: string): Promise<void> =>
  onDatabase(url, async (client) => {
    await client.query('ALTER TABLE blocks DROP CONSTRAINT IF EXISTS blocks_timestamp_key');
    await client.query('ALTER TABLE transactions DROP CONSTRAINT IF EXISTS transactions_pkey');
    await client.query('DELETE FROM transactions WHERE block_height > $1', [height]);
    await client.query('DELETE FROM blocks WHERE height > $1', [height]);
    await insertLines(client, [line]);
  });
