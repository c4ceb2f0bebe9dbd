import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSqlViews, dropSqlViews } from '@roundhouse/entities';
import { runApp } from '@roundhouse/local-postgres';
import { rebuildIndex } from '@roundhouse/storage';
import { readRecording, recordingFile, type RecordedChain } from '@roundhouse/testing';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { headOf } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';

interface Schema {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly required: boolean }[];
  readonly keys: readonly string[];
}

const SCHEMA = JSON.parse(
  readFileSync(recordingFile('core-3.9-full', 'core-database-schema.json'), 'utf8'),
) as Readonly<Record<string, Schema>>;

type Table = 'blocks' | 'transactions' | 'rounds' | 'wallets';

const columnsOf = (table: Table): string =>
  SCHEMA[table]!.columns.map(({ name, type }) => `"${name}" ${type}`).join(', ');

/** As the node's own migrations make it. */
const tableOf = (table: Table): string => {
  const { columns, keys } = SCHEMA[table]!;
  const parts = columns.map(({ name, type, required }) => `"${name}" ${type}${required ? ' NOT NULL' : ''}`);
  return [...parts, ...keys].join(', ').replaceAll('REFERENCES ', 'REFERENCES filled.');
};

/** The lines of a file as one JSON text, so that no number loses digits. */
const linesOf = (recording: RecordedChain, file: string): string =>
  `[${gunzipSync(readFileSync(recordingFile(recording, file)))
    .toString('utf8')
    .trim()
    .split('\n')
    .join(',')}]`;

const CLAIMED_EXPIRATIONS = 5;

interface Recorded {
  readonly sql: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Core 2.4 has fewer columns, and another name for one. */
const COMMON_OF_2_4 = {
  blocks: '*',
  transactions: `id, version, block_id, sequence, "timestamp", sender_public_key, recipient_id, amount, fee, vendor_field, serialized`,
  rounds: '*',
};

/** Attributes that the next chain's exporter leaves out. */
const NOT_EXPORTED = ['ipfs', 'business', 'htlc', 'entities'];

interface ExportedWallet {
  readonly attributes: Record<string, unknown> & { readonly delegate?: { lastBlock?: unknown } };
}

/**
 * SHA-256 as Mainsail's exporter makes it of the tables in a schema.
 * Source: packages/snapshot-legacy-exporter/source/snapshot/generator.ts of Mainsail, c8fe174b.
 */
const exportedHash = async (client: pg.Client, schema: string): Promise<string> => {
  const hash = createHash('sha256');
  const tip = await client.query(
    `SELECT id, height::bigint AS height FROM ${schema}.blocks ORDER BY height DESC LIMIT 1`,
  );
  hash.update(JSON.stringify(tip.rows[0]));
  const { rows } = await client.query<ExportedWallet>(
    `SELECT address, public_key AS "publicKey", balance, nonce, attributes FROM ${schema}.wallets ORDER BY balance DESC, address ASC`,
  );
  for (const wallet of rows) {
    if (wallet.attributes.delegate) delete wallet.attributes.delegate.lastBlock;
    for (const name of NOT_EXPORTED) delete wallet.attributes[name];
    hash.update(JSON.stringify(wallet));
  }
  return hash.digest('hex');
};

describe.each(['core-3.9-full', 'core-3.9', 'core-2.4', 'core-2.4-full'] as const)(
  'the tables of the node that forged %s',
  (recording) => {
    const isOld = recording.startsWith('core-2.4');
    const isFull = recording === 'core-3.9-full';
    const tables: readonly Table[] = [
      'blocks',
      'transactions',
      'rounds',
      ...(isFull ? ['wallets' as const] : []),
    ];
    let index: RecordedIndex;
    let reader: pg.Client;

    beforeAll(async () => {
      index = await RecordedIndex.whole(recording);
      await createSqlViews(index.client);
      await index.client.query('CREATE SCHEMA node');
      for (const table of tables) {
        const file = table === 'wallets' ? 'wallets-after-restart' : table;
        await index.client.query(`CREATE TABLE node.${table} (${columnsOf(table)})`);
        const lines = linesOf(recording, `core-database-${file}.ndjson.gz`).replaceAll(
          '"vendor_field_hex":',
          '"vendor_field":',
        );
        await index.client.query(
          `INSERT INTO node.${table} SELECT * FROM json_populate_recordset(NULL::node.${table}, $1::json)`,
          [lines],
        );
      }
      // Core 2.4 keeps the bytes as the ASCII of their hexadecimal digits.
      if (isOld)
        await index.client.query(
          `UPDATE node.transactions SET vendor_field = decode(encode(vendor_field, 'escape'), 'hex')`,
        );
      // Version 1 signs no expiration: no id proves one, so an index keeps none. Core 2.4 stores what a sender claimed.
      const expiration = '50 + get_byte(serialized, 49) + 8 + 1';
      const { rowCount } = await index.client.query(
        `UPDATE node.transactions SET serialized = overlay(serialized PLACING '\\x00000000' FROM ${expiration} FOR 4)
         WHERE version = 1 AND type = 0 AND substr(serialized, ${expiration}, 4) <> '\\x00000000'`,
      );
      expect(rowCount).toBe(recording === 'core-2.4-full' ? CLAIMED_EXPIRATIONS : 0);
      reader = new pg.Client({ connectionString: index.url, options: '-c search_path=public' });
      await reader.connect();
    });
    afterAll(async () => {
      await reader.end();
      await index.close();
    });

    const differences = async (): Promise<Record<string, unknown>> => {
      const found: Record<string, unknown> = {};
      for (const table of tables) {
        const columns = isOld && table !== 'wallets' ? COMMON_OF_2_4[table] : '*';
        const [ours, theirs] = [
          `SELECT ${columns} FROM public.${table}`,
          `SELECT ${columns} FROM node.${table}`,
        ];
        const { rows } = await index.client.query(
          `SELECT (SELECT json_agg(t) FROM (${ours} EXCEPT ALL ${theirs} LIMIT 2) t) AS more, (SELECT json_agg(t) FROM (${theirs} EXCEPT ALL ${ours} LIMIT 2) t) AS less,
             (SELECT count(*) FROM node.${table})::integer > 0 AS some`,
        );
        found[table] = rows[0];
      }
      return found;
    };

    const none = Object.fromEntries(tables.map((table) => [table, { more: null, less: null, some: true }]));

    it('have the same rows', async () => {
      expect(await differences()).toEqual(none);
    });

    it('have the same rows after a fork', async () => {
      await index.undoTo(300);
      expect(await differences()).not.toEqual(none);
      await index.indexTo(headOf(recording));
      expect(await differences()).toEqual(none);
    });

    it('lose nothing by a rebuild', async () => {
      await index.client.query(
        'UPDATE accounts SET balance = balance + 1; DELETE FROM rounds WHERE round = 3',
      );
      expect(await differences()).not.toEqual(none);
      const owner = new pg.Client({ connectionString: index.url, options: '-c search_path=roundhouse' });
      await owner.connect();
      await rebuildIndex(owner, { undoDepth: 10_000, fromGenesis: true });
      await owner.end();
      expect(await differences()).toEqual(none);
    });

    it('can be dropped and made again', async () => {
      await dropSqlViews(index.client);
      await expect(reader.query('SELECT count(*) FROM blocks')).rejects.toMatchObject({ code: '42P01' });
      await createSqlViews(index.client);
      await createSqlViews(index.client);
      expect((await reader.query('SELECT FROM blocks')).rowCount).toBe(headOf(recording));
    });

    if (isFull) {
      it('are filled by what "indexer export --format core" writes', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'roundhouse-core-'));
        // As an operator protects an archive.
        const setReadOnly = (to: string) =>
          index.client.query(
            `ALTER DATABASE ${index.client.database} SET default_transaction_read_only = ${to}`,
          );
        await setReadOnly('on');
        await runApp('indexer', ['export', '--format', 'core', '--to', folder], { DATABASE_URL: index.url });
        await setReadOnly('off');
        await index.client.query('CREATE SCHEMA filled');
        const loaded = (await readFile(join(folder, 'load.sql'), 'utf8')).matchAll(
          /^\\copy (\w+) FROM '(.+)'$/gm,
        );
        const names = Array.from(loaded, ([, name, file]) => [name, file] as [Table, string]);
        expect(names.map(([name]) => name)).toEqual(['blocks', 'transactions', 'rounds']);
        for (const [name, file] of names) {
          await index.client.query(`CREATE TABLE filled.${name} (${tableOf(name)})`);
          await pipeline(
            createReadStream(join(folder, file)),
            index.client.query(copyFrom(`COPY filled.${name} FROM STDIN`)),
          );
          const { rows } = await index.client.query(
            `SELECT (SELECT count(*) FROM (TABLE filled.${name} EXCEPT ALL TABLE node.${name}) t)::integer AS more,
               (SELECT count(*) FROM (TABLE node.${name} EXCEPT ALL TABLE filled.${name}) t)::integer AS less,
               (SELECT count(*) FROM filled.${name})::integer > 300 AS some`,
          );
          expect(rows).toEqual([{ more: 0, less: 0, some: true }]);
        }
        await rm(folder, { recursive: true });
      });

      it('says when a wallet was last used, to those who ask for it', async () => {
        const { rows } = await reader.query<{ at: number; seen: number }>(
          `SELECT extract(epoch FROM wallets.updated_at)::integer AS at, greatest((SELECT max("timestamp") FROM transactions
             WHERE sender_public_key = wallets.public_key OR recipient_id = wallets.address
               OR asset -> 'payments' @> jsonb_build_array(jsonb_build_object('recipientId', address))),
             (SELECT max("timestamp") FROM blocks WHERE generator_public_key = wallets.public_key)) + 1490101200 AS seen FROM wallets`,
        );
        expect(rows.filter(({ at, seen }) => at !== seen)).toEqual([]);
        expect(rows.filter(({ at }) => at !== null).length).toBeGreaterThan(100);
      });

      it("have the hash that the next chain's exporter gives them", async () => {
        expect(await exportedHash(reader, 'public')).toBe(await exportedHash(index.client, 'node'));
      });

      it('have the same columns of the same types', async () => {
        const { rows } = await index.client.query<{ name: string; columns: unknown }>(
          `SELECT relname AS name, json_agg(json_build_array(attname, format_type(atttypid, atttypmod)) ORDER BY attnum) AS columns
           FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
           WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' AND attnum > 0 GROUP BY 1 ORDER BY 1`,
        );
        expect(rows).toEqual(
          ['blocks', 'rounds', 'transactions', 'wallets'].map((name) => ({
            name,
            columns: SCHEMA[name]!.columns.map((column) => [column.name, column.type]),
          })),
        );
      });

      it.each([
        ["blocks WHERE id = '1'", 'ix_sql_blocks__id_text'],
        ["blocks WHERE previous_block = '1'", 'ix_sql_blocks__previous'],
        ['(SELECT max(height) FROM blocks) AS newest', 'Backward using pk_blocks'],
        ['(SELECT min(height) FROM blocks) AS oldest', 'Scan using pk_blocks'],
        ['(SELECT max(round) FROM rounds) AS newest', 'Backward using ix_sql_rounds__round'],
        ["blocks WHERE generator_public_key = '02'", 'ix_sql_blocks__generator_height'],
        ['blocks WHERE "timestamp" > 305471684', 'ix_sql_blocks__timestamp'],
        ["transactions WHERE id = '1'", 'ix_sql_transactions__id_text'],
        ["transactions WHERE block_id = '1'", 'ix_sql_blocks__id_text'],
        ["transactions WHERE sender_public_key = '02'", 'ix_sql_transactions__sender_time'],
        ["transactions WHERE recipient_id = 'A'", 'ix_sql_transactions__recipient_time'],
        [`transactions WHERE asset @> '{"votes": ["+02"]}'`, 'ix_sql_transactions__asset'],
        [
          `transactions WHERE asset -> 'payments' @> '[{"recipientId": "A"}]'`,
          'ix_sql_transactions__payments',
        ],
        ['transactions WHERE type_group = 1 AND type = 3', 'ix_sql_transactions__type_time'],
        ['transactions ORDER BY "timestamp" DESC, sequence DESC LIMIT 25', 'ix_sql_transactions__time'],
        ['rounds WHERE round = 7', 'ix_sql_rounds__round'],
        ["wallets WHERE address = 'A'", 'ix_sql_accounts__address'],
        ["wallets WHERE public_key = '02'", 'ix_sql_accounts__key'],
        ['wallets ORDER BY balance DESC, address LIMIT 25', 'ix_sql_accounts__balance'],
        ["wallets WHERE attributes ->> 'vote' = '02'", 'ix_sql_wallets__vote'],
        ["wallets WHERE attributes -> 'delegate' ->> 'username' IS NOT NULL", 'ix_sql_wallets__username'],
        ["wallets WHERE (attributes -> 'delegate' ->> 'rank')::numeric <= 51", 'ix_sql_wallets__rank'],
        ["wallets WHERE (attributes -> 'delegate' -> 'resigned')::boolean", 'ix_sql_wallets__resigned'],
        ["wallets WHERE attributes -> 'multiSignature' IS NOT NULL", 'ix_sql_wallets__members'],
        ["wallets WHERE attributes ? 'secondPublicKey'", 'ix_sql_wallets__second_key'],
        ["wallets WHERE attributes ? 'htlc'", 'ix_sql_wallets__locks'],
        ["transactions WHERE sender_public_key = '02' OR recipient_id = 'A'", 'BitmapOr'],
      ])('have an index for: %s', async (sql, name) => {
        await index.client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL search_path = public');
        const { rows } = await index.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT * FROM ${sql}`);
        await index.client.query('ROLLBACK');
        expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(name);
      });

      it.each([
        'blocks ORDER BY height DESC LIMIT 25',
        'blocks WHERE "timestamp" > 5 ORDER BY "timestamp" LIMIT 25',
        "blocks WHERE id > '5' ORDER BY id LIMIT 500",
        "transactions WHERE id > '5' ORDER BY id LIMIT 500",
        "blocks WHERE generator_public_key = '02' ORDER BY height DESC LIMIT 25",
        'transactions WHERE type = 7 AND type_group = 1 ORDER BY "timestamp" DESC LIMIT 25',
        'transactions ORDER BY "timestamp" DESC, sequence DESC LIMIT 25',
        `transactions WHERE sender_public_key = '02' ORDER BY "timestamp" DESC, sequence DESC LIMIT 25`,
        `transactions WHERE recipient_id = 'A' AND "timestamp" > 5 ORDER BY "timestamp" LIMIT 25`,
      ])('have the order of an index: %s', async (sql) => {
        await index.client.query('BEGIN; SET LOCAL enable_sort = off; SET LOCAL search_path = public');
        const { rows } = await index.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT * FROM ${sql}`);
        await index.client.query('ROLLBACK');
        expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Sort');
      });

      it.each(readRecording<Recorded>('core-3.9-full', 'core-database-queries.ndjson.gz'))(
        'answer as recorded: $sql',
        async ({ sql, columns, rows }) => {
          const types = { getTypeParser: () => (text: string) => text };
          const result = await reader.query<(string | null)[]>({
            text: sql,
            rowMode: 'array',
            types: types,
          });
          const { rows: names } = await reader.query<{ names: string[] }>(
            'SELECT array_agg(format_type(oid, NULL) ORDER BY place) AS names FROM unnest($1::oid[]) WITH ORDINALITY AS listed (oid, place)',
            [result.fields.map(({ dataTypeID }) => dataTypeID)],
          );
          expect(result.fields.map(({ name }, place) => [name, names[0]!.names[place]])).toEqual(columns);
          expect(result.rows).toEqual(rows);
        },
      );
    }
  },
);
