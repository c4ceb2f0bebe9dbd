import { roundDigest, type ForgingRound, type RoundDigest } from '@roundhouse/chain';
import { roundDigests, UNDO_TABLES } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText, forgerListOf, queryRows, selectFrom } from '@roundhouse/entities/sql';
import { sumsAtHead } from '../snapshot/state-rows.js';
import { findStateSums, readHead } from '../writer/load-ledger.js';
import { listContradictions, type OnProgress, type Start } from './checkpoint.js';

/** The checkpoint does not fit the index. One of the two is damaged, and only the stored blocks tell which. */
export class CheckpointRefusedError extends Error {
  readonly code = 'CHECKPOINT_REFUSED';

  constructor(
    readonly height: number,
    problem: string,
  ) {
    super(
      `The checkpoint at block ${height} cannot be used: ${problem} Run "indexer verify --from-genesis": it needs no ` +
        `checkpoint, finds what is damaged, and makes a new one.`,
    );
    this.name = 'CheckpointRefusedError';
  }
}

const SELECT_DIGEST = `${selectFrom({ ...roundDigests, name: 'roundhouse.round_digests' })} WHERE height = $1`;

const SELECT_NEXT_ROUND = `
SELECT r.round, r.first_height AS "firstHeight", ${forgerListOf('r')} FROM rounds r WHERE r.first_height = $1 + 1`;

const SELECT_BLOCK = `SELECT ${blockIdText('id')} AS id, "timestamp" FROM roundhouse.blocks WHERE height = $1`;

/** $1: the height; $2: the last number that is mentioned up to it. */
const countMisplaced = (table: string): string => `
SELECT ((SELECT count(*) FROM roundhouse.${table} WHERE number <= $2 AND height > $1 OR number = $2 + 1 AND height <= $1)
  + (SELECT greatest(0, $2 - coalesce(max(number), 0)) FROM roundhouse.${table}))::integer AS count`;

const COUNT_MISPLACED_KEYS = countMisplaced('public_keys');
const COUNT_MISPLACED_ADDRESSES = countMisplaced('addresses');

/** What the digest does not contain. A step leaves the sums of its last block, and no before-images. $1: the height. */
const COUNT_WRONG = `
SELECT ((SELECT count(*) FROM (
    SELECT number, row_number() OVER (ORDER BY registered_height, registered_sequence) AS place FROM delegates
  ) AS numbered WHERE number <> place)
  + (SELECT count(*) FROM accounts WHERE number NOT BETWEEN 1 AND (SELECT count(*) FROM accounts))
  + (SELECT count(*) FROM head WHERE delegate_count <> (SELECT count(*) FROM delegates))
  + (SELECT count(*) FROM state_sums WHERE height <> $1)
  + ${UNDO_TABLES.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ')})::integer AS count`;

/**
 * Proves that the rows of the copies give the digest that the index has stored for their block. On this connection the
 * names of the derived tables, without a schema, mean the copies. Needs an open transaction. `onProgress` is called
 * after each page of accounts. Throws `CheckpointRefusedError`.
 */
export const proveCheckpoint = async (
  client: ClientBase,
  { height, publicKeys, addresses }: Start,
  onProgress?: OnProgress,
): Promise<void> => {
  const demand = (isSo: boolean, problem: string): void => {
    if (!isSo) throw new CheckpointRefusedError(height, problem);
  };
  const head = await readHead(client);
  const [block] = await queryRows<{ id: string; timestamp: number }>(client, SELECT_BLOCK, [height]);
  demand(
    head !== undefined &&
      head.height === height &&
      head.id === block?.id &&
      head.timestamp === block.timestamp,
    `the stored block at that height is ${block === undefined ? 'missing' : `${block.id}, or its copy is damaged`}.`,
  );
  const [stored] = await queryRows<RoundDigest>(client, SELECT_DIGEST, [height]);
  demand(stored !== undefined, 'the index has no digest of the round that ended there.');
  const sums = (await sumsAtHead(client, () => onProgress?.(height))).toHex();
  const [next] = await queryRows<Omit<ForgingRound, 'weights'>>(client, SELECT_NEXT_ROUND, [height]);
  const computed = next && roundDigest(head!, sums, next).digest;
  demand(
    computed === stored!.digest,
    `its copies give the digest ${computed ?? '(none)'} for round ${stored!.round}, but the index has stored ${stored!.digest}.`,
  );
  const known = await findStateSums(client, head!);
  demand(
    known?.accounts === sums.accounts && known.delegates === sums.delegates && known.locks === sums.locks,
    'the copy of state_sums is damaged.',
  );
  const isNone = async (count: string, ...values: readonly number[]): Promise<boolean> =>
    (await queryRows<{ count: number }>(client, count, values))[0]!.count === 0;
  demand(
    await isNone(COUNT_WRONG, height),
    'its copies have wrong numbers of accounts or delegates, or rows that no step leaves.',
  );
  demand(
    (await isNone(COUNT_MISPLACED_KEYS, height, publicKeys)) &&
      (await isNone(COUNT_MISPLACED_ADDRESSES, height, addresses)),
    'the keys and addresses that are mentioned up to it are not those of the index.',
  );
};

const SELECT_LAST_ROUND = `SELECT max(round) AS round FROM checkpoint.rounds`;

/** Throws `CheckpointRefusedError` if a round or a digest below the checkpoint is not the same as in its copy. */
export const assertSameRounds = async (client: ClientBase, height: number): Promise<void> => {
  const { rows } = await client.query<{ round: number }>(SELECT_LAST_ROUND);
  const tables = await listContradictions(client, rows[0]!.round);
  if (tables.length === 0) return;
  throw new CheckpointRefusedError(
    height,
    `below it, the rows of ${tables.join(' and ')} are not those of its copies.`,
  );
};
