import { createHash, type Hash } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

export interface TableDigest {
  readonly table: string;
  /** SHA-256 in hex over the rows as `COPY` text, ordered by primary key. */
  readonly sha256: string;
}

export interface IndexDigest {
  readonly tables: readonly TableDigest[];
  /** SHA-256 in hex over the names and digests of the tables. */
  readonly sha256: string;
}

/**
 * What the chain alone determines. Left out: staging, undo records, round digests, events, what was heard of the source,
 * clocks, the network's configuration (its text depends on where it was asked), and assets, which older versions did not store.
 */
const ROWS = {
  network: `SELECT name, nethash FROM network ORDER BY id`,
  head: `SELECT height, block_id, "timestamp", supply, delegate_count FROM head ORDER BY id`,
  blocks: `SELECT height, id, version, "timestamp", previous_block, number_of_transactions, total_amount, total_fee, reward,
    payload_length, payload_hash, generator_public_key, block_signature FROM blocks ORDER BY height`,
  transactions: `SELECT block_height, sequence, id, type_group, type, sender_public_key, recipient_id, amount, fee
    FROM transactions ORDER BY block_height, sequence`,
  accounts: `SELECT address, public_key, balance, locked, vote FROM accounts ORDER BY address`,
  delegates: `SELECT public_key, address, username, weight, is_resigned, produced_blocks, missed_blocks, forged_fees,
    forged_rewards, registered_height, registered_sequence FROM delegates ORDER BY public_key`,
  locks: `SELECT transaction_id, sender_address, recipient_address, amount FROM locks ORDER BY transaction_id`,
  rounds: `SELECT round, first_height, forging_order FROM rounds ORDER BY round`,
} as const;

const hashing = (hash: Hash): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done();
    },
  });

/** Digests of all tables in one snapshot: two indexes of the same chain give the same, however they were made. */
export const digestTables = async (client: Client | PoolClient): Promise<IndexDigest> => {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const tables: TableDigest[] = [];
    const all = createHash('sha256');
    for (const [table, rows] of Object.entries(ROWS)) {
      const hash = createHash('sha256');
      await pipeline(client.query(copyTo(`COPY (${rows}) TO STDOUT`)), hashing(hash));
      const sha256 = hash.digest('hex');
      tables.push({ table, sha256 });
      all.update(`${table} ${sha256}\n`);
    }
    return { tables, sha256: all.digest('hex') };
  } finally {
    await client.query('ROLLBACK');
  }
};
