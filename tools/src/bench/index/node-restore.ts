import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { BlockText, LineReader, storedBytes } from '@roundhouse/blocks';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ChainFile } from '../chain-files.js';
import { writeRowFiles, type BlockRows, type RawBlock, type RowFiles } from './row-files.js';

// What an operator would otherwise do: restore the database of a Core 3.9 node. Its tables get their rows first and
// their indexes afterwards, as with pg_restore. Only `sequence` is wider: the generated genesis blocks are larger than a
// node's. The row has the same size, because the next column is aligned.

const CREATE_TABLES = `
CREATE TABLE blocks (
  id varchar(64) NOT NULL, version smallint NOT NULL, "timestamp" integer NOT NULL, previous_block varchar(64),
  height integer NOT NULL, number_of_transactions integer NOT NULL, total_amount bigint NOT NULL,
  total_fee bigint NOT NULL, reward bigint NOT NULL, payload_length integer NOT NULL, payload_hash varchar(64) NOT NULL,
  generator_public_key varchar(66) NOT NULL, block_signature varchar(256) NOT NULL
);
CREATE TABLE transactions (
  id varchar(64) NOT NULL, version smallint NOT NULL, block_id varchar(64) NOT NULL, sequence integer NOT NULL,
  "timestamp" integer NOT NULL, sender_public_key varchar(66) NOT NULL, recipient_id varchar(36), type smallint NOT NULL,
  amount bigint NOT NULL, fee bigint NOT NULL, serialized bytea NOT NULL, asset jsonb, vendor_field bytea,
  type_group integer NOT NULL, nonce bigint NOT NULL, block_height integer NOT NULL
)`;

const TABLES = ['blocks', 'transactions'];

const CREATE_INDEXES = [
  'ALTER TABLE blocks ADD PRIMARY KEY (id)',
  'ALTER TABLE blocks ADD UNIQUE (height)',
  'ALTER TABLE blocks ADD UNIQUE ("timestamp")',
  'CREATE INDEX ON blocks (generator_public_key)',
  'ALTER TABLE transactions ADD PRIMARY KEY (id)',
  ...['block_id', 'sender_public_key', 'recipient_id', '"timestamp"', 'type'].map(
    (column) => `CREATE INDEX ON transactions (${column})`,
  ),
];

interface NodeTransaction {
  readonly asset?: object;
}

const reader = new LineReader();

/** The bytes of each transaction as hexadecimal text. */
const serialisedIn = (line: string): string[] => {
  const bytes = Buffer.from(line);
  const text = new BlockText();
  if (!reader.read(bytes, 0, bytes.length, text)) throw new TypeError(`The line is malformed: ${line}`);
  return Array.from({ length: text.transactionCount }, (_, place) => {
    const transaction = text.transaction(place);
    return storedBytes(text, transaction, transaction.network.value).toString('hex');
  });
};

const NULL = '\\N';
const byteaOf = (hex: string): string => `\\\\x${hex}`;

const rowOf = (values: readonly (string | number)[]): string => `${values.join('\t')}\n`;

const nodeRows = (line: string): BlockRows => {
  const block = JSON.parse(line) as RawBlock;
  const serialised = block.transactions.length > 0 ? serialisedIn(line) : [];
  return {
    blocks: [
      rowOf([
        ...[block.id, block.version, block.timestamp, block.previousBlock ?? NULL, block.height],
        ...[block.numberOfTransactions, block.totalAmount, block.totalFee, block.reward, block.payloadLength],
        ...[block.payloadHash, block.generatorPublicKey, block.blockSignature],
      ]),
    ],
    transactions: block.transactions.map((transaction, sequence) => {
      const { asset } = transaction as NodeTransaction;
      const { id, version, senderPublicKey, recipientId, type, amount, fee, vendorField, typeGroup, nonce } =
        transaction;
      return rowOf([
        ...[id, version, block.id, sequence, block.timestamp, senderPublicKey, recipientId ?? NULL],
        ...[type, amount, fee, byteaOf(serialised[sequence]!)],
        asset === undefined ? NULL : JSON.stringify(asset).replaceAll('\\', '\\\\'),
        vendorField ? byteaOf(Buffer.from(vendorField).toString('hex')) : NULL,
        ...[typeGroup, nonce ?? 0, block.height],
      ]);
    }),
  };
};

/** The rows of a node's tables. */
export const nodeRowFiles = (chain: ChainFile): Promise<RowFiles> =>
  writeRowFiles(chain, 'node', TABLES, nodeRows);

/** Fills an empty database with the node's tables over one connection. Returns rows per second, indexes included. */
export const nodeRestore = async (databaseUrl: string, { files, rows }: RowFiles): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(CREATE_TABLES);
    const started = performance.now();
    for (const table of TABLES) {
      const text = createReadStream(files[table]!, { highWaterMark: 256 * 1024 });
      await pipeline(text, client.query(copyFrom(`COPY ${table} FROM STDIN`)));
    }
    for (const statement of CREATE_INDEXES) await client.query(statement);
    return (rows * 1_000) / (performance.now() - started);
  } finally {
    await client.end();
  }
};
