import {
  heightsForSlots,
  Ledger,
  LedgerInvariantError,
  type BlockRef,
  type Delegate,
  type ForgingRound,
  type LedgerHead,
  type Network,
  type StateSums,
} from '@roundhouse/chain';
import { bytesOf, delegates, stateSums } from '@roundhouse/entities/tables';
import type { ClientBase, Pool } from 'pg';
import { queryRows } from '../query-rows.js';
import { blockIdText, forgerKeys, hexText, selectFrom, valuesOf } from '../table-sql.js';

const SELECT_HAS_HISTORY = `SELECT has_history AS "hasHistory" FROM head`;

const SELECT_HEAD = `SELECT height, ${blockIdText('block_id')} AS id, "timestamp", supply FROM head`;

const SELECT_STATE_SUMS = `SELECT ${valuesOf(stateSums.columns)} FROM state_sums WHERE height = $1 AND block_id = $2`;

const SELECT_DELEGATES = `${selectFrom(delegates)} ORDER BY public_key`;

const SELECT_ROUND_OF_HEIGHT = `
SELECT round, first_height AS "firstHeight", ${forgerKeys('forging_order')} AS "forgingOrder"
FROM rounds WHERE first_height <= $1 ORDER BY first_height DESC LIMIT 1`;

const SELECT_FORGERS = `
SELECT ${hexText('value')} AS key FROM public_keys
WHERE number IN (SELECT generator FROM blocks WHERE height BETWEEN $1 AND $2)`;

/** Votes for keys of no registered delegate. */
const SELECT_ORPHAN_WEIGHTS = `
SELECT ${hexText('vote')} AS vote, sum(balance + locked)::text AS weight  -- sums may pass 2^63; text keeps them exact
FROM accounts WHERE vote IS NOT NULL AND NOT EXISTS (SELECT FROM delegates WHERE delegates.public_key = accounts.vote)
GROUP BY accounts.vote`;

const SELECT_ACCOUNT_COUNT = `SELECT coalesce(max(number), 0) AS count FROM accounts`;

const SELECT_RANKS = `SELECT delegates FROM rankings ORDER BY height DESC LIMIT 1`;

const SELECT_TIMESTAMPS = `SELECT height, "timestamp" FROM blocks WHERE height = ANY($1::int[])`;

const loadRound = async (client: ClientBase, ledger: Ledger, head: number): Promise<void> => {
  const [round] = await queryRows<ForgingRound>(client, SELECT_ROUND_OF_HEIGHT, [head + 1]);
  if (!round) return;
  ledger.round = round;
  const [ranking] = await queryRows<{ delegates: number[] }>(client, SELECT_RANKS);
  ledger.ranks = ranking?.delegates ?? [];
  // The head of a checkpoint has stored blocks above it.
  const forgers = await queryRows<{ key: string }>(client, SELECT_FORGERS, [round.firstHeight, head]);
  for (const { key } of forgers) ledger.forgers.add(key);
};

/** The head of the tables; undefined if the index is empty. */
export const readHead = async (client: ClientBase): Promise<LedgerHead | undefined> =>
  (await queryRows<LedgerHead>(client, SELECT_HEAD))[0];

/** Whether the tables of history hold every change; undefined if the index is empty. */
export const readHasHistory = async (db: Pool | ClientBase): Promise<boolean | undefined> =>
  (await queryRows<{ hasHistory: boolean }>(db, SELECT_HAS_HISTORY))[0]?.hasHistory;

/** The stored sums of the state at a block. */
export const findStateSums = async (
  client: ClientBase,
  { height, id }: BlockRef,
): Promise<StateSums | undefined> =>
  (await queryRows<StateSums>(client, SELECT_STATE_SUMS, [height, bytesOf('block id', id)]))[0];

/**
 * The ledger at the head of the tables, with all delegates and the current round; accounts are loaded for each batch.
 * Throws `LedgerInvariantError` if the tables lack the sums at the head.
 */
export const loadLedger = async (client: ClientBase, network: Network): Promise<Ledger> => {
  const head = await readHead(client);
  if (head === undefined) return Ledger.empty(network);
  const ledger = new Ledger(network, false);
  ledger.head = head;
  ledger.keepsHistory = (await readHasHistory(client)) === true;
  const sums = await findStateSums(client, head);
  if (sums === undefined)
    throw new LedgerInvariantError(
      `The index has no sums of its state at block ${head.height}: run "indexer rebuild".`,
    );
  ledger.loadSums(sums);
  ledger.accountCount = (await queryRows<{ count: number }>(client, SELECT_ACCOUNT_COUNT))[0]!.count;
  for (const delegate of await queryRows<Delegate>(client, SELECT_DELEGATES)) ledger.loadDelegate(delegate);
  await loadRound(client, ledger, head.height);
  const orphans = await queryRows<{ vote: string; weight: string }>(client, SELECT_ORPHAN_WEIGHTS);
  for (const { vote, weight } of orphans) ledger.orphanWeights.set(vote, BigInt(weight));
  // If the block time changes above the head, computing slots there may need the timestamp of a stored block. Heights
  // above the head have no block yet, or one that is still to be applied.
  const slotHeights = heightsForSlots(ledger.milestones, Number.MAX_SAFE_INTEGER);
  if (slotHeights.length > 0) {
    const known = await queryRows<{ height: number; timestamp: number }>(client, SELECT_TIMESTAMPS, [
      slotHeights.filter((height) => height <= head.height),
    ]);
    for (const { height, timestamp } of known) ledger.timestamps.set(height, timestamp);
  }
  return ledger;
};
