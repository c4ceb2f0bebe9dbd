import {
  firstDifferentHeight,
  LASTING,
  networkOf,
  typesMovedByOne,
  type BlockRef,
  type Network,
  type RuleName,
  type Rules,
} from '@roundhouse/chain';
import {
  chainColumns,
  dailyStatistics,
  LEDGER_TABLES,
  roundDigests,
  rounds,
  type Table,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText, namesOf, knowsClaims } from '@roundhouse/entities/sql';
import { paymentsIn } from '../payments-in.js';

// The schema `checkpoint` has a copy of each table of the ledger, as it was after the block of `checkpoint.head`. There is a
// checkpoint if that row is there, and it belongs to the rules that proved it.

/** Called after each part of the work with the height reached; the next part waits for it. */
export type OnProgress = (height: number) => void | Promise<void>;

/** Where a verification begins: after a block whose state is known. Zeros for the genesis block's turn. */
export interface Start {
  readonly height: number;
  /** How many keys and addresses the blocks up to it mention. */
  readonly publicKeys: number;
  readonly addresses: number;
}

export const GENESIS: Start = { height: 0, publicKeys: 0, addresses: 0 };

export interface Checkpoint extends Start, BlockRef {
  readonly provenAt: Date;
}

/** What the blocks up to a checkpoint must have been checked for. */
export interface Asked {
  /** Whether their signatures are verified. (Default: false) */
  readonly verifiesSignatures?: boolean | undefined;
  /** (Default: whatever they kept) */
  readonly rules?: Rules | undefined;
}

interface CheckpointRow extends Checkpoint {
  readonly signatures: boolean;
  /** The rules whose breaches were only warnings. */
  readonly lenient: readonly RuleName[];
  /** Arktoshi; null if an earlier version proved it. */
  readonly mostUnknownFee: string | null;
  readonly configuration: string;
  readonly knowsClaims: boolean;
  readonly hasSameDetails: boolean;
}

const SELECT_CHECKPOINT = `
SELECT head.height, ${blockIdText('head.block_id')} AS id, head.indexed_at AS "provenAt",
  public_keys AS "publicKeys", addresses, configuration::text AS configuration, signatures,
  lenient, most_unknown_fee AS "mostUnknownFee",
  ${knowsClaims('checkpoint.claim_drifts')} AS "knowsClaims",
  head.has_details = coalesce((SELECT has_details FROM roundhouse.head), true)
    AND EXISTS (SELECT FROM checkpoint.daily_statistics) = EXISTS (SELECT FROM roundhouse.daily_statistics) AS "hasSameDetails"
FROM checkpoint.head, checkpoint.proof`;

/** Whether all that was accepted below the checkpoint is accepted now. */
const isAcceptedBy = ({ lenient, mostUnknownFee }: CheckpointRow, rules: Rules): boolean =>
  lenient.every((name) => rules.lenient.has(name)) &&
  (mostUnknownFee === null || BigInt(mostUnknownFee) <= rules.mostUnknownFee);

/** The checkpoint, if there is one, the rules of `network` are those that proved it, and it was checked for what is asked. */
export const findCheckpoint = async (
  client: ClientBase,
  network: Network,
  { verifiesSignatures = false, rules }: Asked = {},
): Promise<Checkpoint | null> => {
  const { rows } = await client.query<CheckpointRow>(SELECT_CHECKPOINT);
  const [row] = rows;
  // The copies of an earlier version may lack claims and details.
  if (!row?.knowsClaims || !row.hasSameDetails) return null;
  if ((verifiesSignatures && !row.signatures) || (rules && !isAcceptedBy(row, rules))) return null;
  const { height, id, provenAt, publicKeys, addresses } = row;
  const provedBy = networkOf(row.configuration);
  if (provedBy.nethash !== network.nethash || typesMovedByOne(provedBy, network).length > 0) return null;
  const different = firstDifferentHeight(provedBy, network);
  // The last block of a round fixes the forgers of the next one by the rules of its first block.
  return different === null || different > height + 1
    ? { height, id, provenAt, publicKeys, addresses }
    : null;
};

/** Fills the temporary tables of this connection, which are empty. */
export const copyCheckpoint = async (client: ClientBase): Promise<void> => {
  for (const { name, columns } of LEDGER_TABLES) {
    const names = namesOf(columns);
    await client.query(`INSERT INTO pg_temp.${name} (${names}) SELECT ${names} FROM checkpoint.${name}`);
  }
};

const COPY_LASTING_VOTES = `
INSERT INTO pg_temp.history_votes (account, from_height, until_height, address, vote)
SELECT account, from_height, ${LASTING}, address, vote FROM roundhouse.history_votes WHERE from_height <= $1 AND until_height > $1`;

/** Fills the temporary table with the votes of the index that lasted at a height, so that blocks above it can end them. */
export const copyLastingVotes = async (client: ClientBase, height: number): Promise<void> => {
  await client.query(COPY_LASTING_VOTES, [height]);
};

/** The days that ended below the checkpoint. */
export const ENDED_DAYS = 'day < (SELECT max(day) FROM checkpoint.daily_statistics)';

const countChanged = (table: Table, where: string): string => {
  const names = namesOf(chainColumns(table));
  const rowsOf = (schema: string): string => `(SELECT ${names} FROM ${schema}.${table.name} WHERE ${where})`;
  return `
SELECT count(*)::integer AS count FROM (
  (${rowsOf('roundhouse')} EXCEPT ${rowsOf('checkpoint')}) UNION ALL (${rowsOf('checkpoint')} EXCEPT ${rowsOf('roundhouse')})
) AS changed`;
};

/** Rounds, digests and days never change once they are below a checkpoint. $1: the last round of which it has a row. */
const COUNT_CHANGED = [
  { table: rounds, sql: countChanged(rounds, 'round <= $1') },
  { table: roundDigests, sql: countChanged(roundDigests, 'round < $1') },
  { table: dailyStatistics, sql: countChanged(dailyStatistics, `$1::integer > 0 AND ${ENDED_DAYS}`) },
];

/** The tables in which a row of a round up to `nextRound`, or of a day that ended, is not the same as in its copy. */
export const listContradictions = async (client: ClientBase, nextRound: number): Promise<string[]> => {
  const tables: string[] = [];
  for (const { table, sql } of COUNT_CHANGED) {
    const { rows } = await client.query<{ count: number }>(sql, [nextRound]);
    if (rows[0]!.count > 0) tables.push(table.name);
  }
  return tables;
};

/** From now on there is no checkpoint. The next one replaces the copies. */
export const dropCheckpoint = async (client: ClientBase): Promise<void> => {
  await client.query('DELETE FROM checkpoint.head');
};

/** Removes the copies. Others may still read them in their own snapshot. */
export const emptyCheckpoint = async (client: ClientBase): Promise<void> => {
  for (const { name } of LEDGER_TABLES) await client.query(`DELETE FROM checkpoint.${name}`);
};

const UPSERT_PROOF = `
INSERT INTO checkpoint.proof (public_keys, addresses, configuration, signatures, lenient, most_unknown_fee)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO UPDATE SET public_keys = excluded.public_keys, addresses = excluded.addresses,
  configuration = excluded.configuration, signatures = excluded.signatures, lenient = excluded.lenient,
  most_unknown_fee = excluded.most_unknown_fee`;

/** $1, $2: the heights above and up to which blocks are considered; $3, $4: the last numbers up to $1. */
const SELECT_MENTIONED = `
SELECT greatest($3::integer,
    (SELECT max(generator) FROM roundhouse.blocks WHERE height BETWEEN $1 + 1 AND $2),
    (SELECT max(sender) FROM roundhouse.transactions WHERE block_height BETWEEN $1 + 1 AND $2)) AS "publicKeys",
  greatest($4::integer,
    (SELECT max(recipient) FROM roundhouse.transactions WHERE block_height BETWEEN $1 + 1 AND $2),
    (SELECT max(recipient) FROM (${paymentsIn('t.block_height BETWEEN $1 + 1 AND $2')}) paid)) AS addresses`;

/** The start after the block at `height`, which is above `start`. */
export const startAt = async (client: ClientBase, start: Start, height: number): Promise<Start> => {
  const { rows } = await client.query<Omit<Start, 'height'>>(SELECT_MENTIONED, [
    start.height,
    height,
    start.publicKeys,
    start.addresses,
  ]);
  return { height, ...rows[0]! };
};

/** Records what belongs to the new block of the checkpoint. */
export const writeProof = async (
  client: ClientBase,
  { publicKeys, addresses }: Start,
  configuration: string,
  { verifiesSignatures, rules }: Required<Asked>,
): Promise<void> => {
  const accepted = [[...rules.lenient].sort(), rules.mostUnknownFee.toString()];
  await client.query(UPSERT_PROOF, [publicKeys, addresses, configuration, verifiesSignatures, ...accepted]);
};
