import {
  CANDIDATE_CLAIMS,
  ClaimDrifts,
  heightsForSlots,
  Ledger,
  LedgerInvariantError,
  type BlockRef,
  type ClaimDrift,
  type DayStatistics,
  type Delegate,
  type ForgerList,
  type ForgingRound,
  type LedgerHead,
  type Network,
  type RoundBlock,
  type StateSums,
} from '@roundhouse/chain';
import { bytesOf, claimDrifts, dailyStatistics, delegates, stateSums } from '@roundhouse/entities/tables';
import type { ClientBase, Pool } from 'pg';
import {
  queryRows,
  blockIdText,
  FORGING_ROUNDS,
  forgerListOf,
  hexText,
  selectFrom,
  valuesOf,
  knowsClaims,
} from '@roundhouse/entities/sql';
import { paymentsIn } from '../payments-in.js';

const SELECT_HAS_HISTORY = `SELECT has_history AS "hasHistory" FROM head`;

const selectHasDetails = (head: string): string => `SELECT has_details AS "hasDetails" FROM ${head}`;

const SELECT_HEAD = `SELECT height, ${blockIdText('block_id')} AS id, "timestamp", supply FROM head`;

const SELECT_STATE_SUMS = `SELECT ${valuesOf(stateSums.columns)} FROM state_sums WHERE height = $1 AND block_id = $2`;

const SELECT_DELEGATES = `${selectFrom(delegates)} ORDER BY public_key`;

const SELECT_ROUND_OF_HEIGHT = `
SELECT r.round, r.first_height AS "firstHeight", r.weights, ${forgerListOf('r')}
FROM ${FORGING_ROUNDS} r WHERE r.first_height <= $1 ORDER BY r.first_height DESC LIMIT 1`;

const SELECT_CANDIDATES = `SELECT c.weights, ${forgerListOf('c')} FROM round_candidates c WHERE c.round = $1 ORDER BY c.place`;

const SELECT_FORGED = `
SELECT b.height, ${blockIdText('b.id')} AS id, b."timestamp", ${hexText('k.value')} AS "generatorPublicKey"
FROM blocks b JOIN public_keys k ON k.number = b.generator WHERE b.height BETWEEN $1 AND $2 ORDER BY b.height`;

const SELECT_MISPLACED = `SELECT height FROM misplaced_blocks WHERE height BETWEEN $1 AND $2`;

/** The claims of the current round, which begins at $1, and those before it that its forgers may depend on. */
const SELECT_CLAIMS = `
${selectFrom(claimDrifts)} WHERE number > (SELECT coalesce(max(number), 0) FROM claim_drifts WHERE height < $1) - ${CANDIDATE_CLAIMS}
ORDER BY number`;

/** $1: how many claims are forgotten. */
const SELECT_DRIFT = `
SELECT delegate, sum(amount)::text AS amount
FROM (SELECT number, loser AS delegate, -amount AS amount FROM claim_drifts
  UNION ALL SELECT number, winner, amount FROM claim_drifts) AS moved
WHERE delegate IS NOT NULL AND number > $1 GROUP BY delegate`;

const SELECT_CLAIM_COUNT = `SELECT coalesce(max(number), 0) AS count FROM claim_drifts`;

const SELECT_KNOWS_CLAIMS = `SELECT ${knowsClaims()} AS "knowsClaims" FROM head`;

/** Votes for keys of no registered delegate. */
const SELECT_ORPHAN_WEIGHTS = `
SELECT ${hexText('vote')} AS vote, sum(balance + locked)::text AS weight  -- sums may pass 2^63; text keeps them exact
FROM accounts WHERE vote IS NOT NULL AND NOT EXISTS (SELECT FROM delegates WHERE delegates.public_key = accounts.vote)
GROUP BY accounts.vote`;

const SELECT_ACCOUNT_COUNT = `SELECT coalesce(max(number), 0) AS count FROM accounts`;

const SELECT_RANKS = `SELECT delegates FROM rankings ORDER BY height DESC LIMIT 1`;

const SELECT_TIMESTAMPS = `SELECT height, "timestamp" FROM blocks WHERE height = ANY($1::int[])`;

const SELECT_DAY = `${selectFrom(dailyStatistics)} ORDER BY day DESC LIMIT 1`;

/** $1, $2: the first and the last height. */
const SELECT_SENDERS = `
SELECT ${hexText('value')} AS value FROM public_keys
WHERE number IN (SELECT sender FROM transactions WHERE block_height BETWEEN $1 AND $2)`;

const SELECT_RECIPIENTS = `
SELECT value FROM addresses WHERE number IN (
  SELECT recipient FROM transactions WHERE block_height BETWEEN $1 AND $2
  UNION ALL SELECT recipient FROM (${paymentsIn('t.block_height BETWEEN $1 AND $2')}) paid)`;

const SELECT_HAS_STATISTICS = `SELECT EXISTS (SELECT FROM roundhouse.daily_statistics) AS "hasStatistics"`;

const loadDay = async (client: ClientBase, ledger: Ledger, head: number): Promise<void> => {
  const [day] = await queryRows<DayStatistics>(client, SELECT_DAY);
  ledger.keepsStatistics = day !== undefined;
  if (day === undefined) return;
  const heights = [day.firstHeight, head];
  const senders = await queryRows<{ value: string }>(client, SELECT_SENDERS, heights);
  const recipients = await queryRows<{ value: string }>(client, SELECT_RECIPIENTS, heights);
  ledger.loadDay(day, [
    ...senders.map(({ value }) => ledger.addresses.addressOf(value)),
    ...recipients.map(({ value }) => value),
  ]);
};

const loadRound = async (client: ClientBase, ledger: Ledger, head: number): Promise<void> => {
  const [round] = await queryRows<ForgingRound>(client, SELECT_ROUND_OF_HEIGHT, [head + 1]);
  if (!round) return;
  ledger.round = round;
  ledger.candidates = await queryRows<ForgerList>(client, SELECT_CANDIDATES, [round.round]);
  const [ranking] = await queryRows<{ delegates: number[] }>(client, SELECT_RANKS);
  ledger.ranks = ranking?.delegates ?? [];
  // The head of a checkpoint has stored blocks above it.
  const heights = [round.firstHeight, head];
  ledger.forged = await queryRows<RoundBlock>(client, SELECT_FORGED, heights);
  for (const { height } of await queryRows<{ height: number }>(client, SELECT_MISPLACED, heights))
    ledger.misplaced.add(height);
  await loadClaims(client, ledger, round);
};

const loadClaims = async (
  client: ClientBase,
  ledger: Ledger,
  { firstHeight, forgottenClaims: forgotten }: ForgingRound,
): Promise<void> => {
  ledger.knowsClaims = await readKnowsClaims(client);
  const newest = await queryRows<ClaimDrift>(client, SELECT_CLAIMS, [firstHeight]);
  const [all] = await queryRows<{ count: number }>(client, SELECT_CLAIM_COUNT);
  const moved = await queryRows<{ delegate: number; amount: string }>(client, SELECT_DRIFT, [forgotten]);
  const drift = new Map(moved.map(({ delegate, amount }) => [delegate, BigInt(amount)]));
  ledger.claims = new ClaimDrifts(newest, all!.count, { forgotten, drift });
};

/** Whether the tables hold all claims that running nodes miscount; true if the index is empty. */
export const readKnowsClaims = async (db: Pool | ClientBase): Promise<boolean> =>
  (await queryRows<{ knowsClaims: boolean }>(db, SELECT_KNOWS_CLAIMS))[0]?.knowsClaims ?? true;

/** The head of the tables; undefined if the index is empty. */
export const readHead = async (client: ClientBase): Promise<LedgerHead | undefined> =>
  (await queryRows<LedgerHead>(client, SELECT_HEAD))[0];

/** Whether the tables of history hold every change; undefined if the index is empty. */
export const readHasHistory = async (db: Pool | ClientBase): Promise<boolean | undefined> =>
  (await queryRows<{ hasHistory: boolean }>(db, SELECT_HAS_HISTORY))[0]?.hasHistory;

/** Whether the tables hold attributes, the weights of forgers and the fees of each day; true if the index is empty. */
export const readHasDetails = async (db: Pool | ClientBase, head = 'head'): Promise<boolean> =>
  (await queryRows<{ hasDetails: boolean }>(db, selectHasDetails(head)))[0]?.hasDetails ?? true;

/** Whether the index has statistics of each day; false also if it is empty. */
export const readHasStatistics = async (db: Pool | ClientBase): Promise<boolean> =>
  (await queryRows<{ hasStatistics: boolean }>(db, SELECT_HAS_STATISTICS))[0]!.hasStatistics;

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
  ledger.keepsDetails = await readHasDetails(client);
  const sums = await findStateSums(client, head);
  if (sums === undefined)
    throw new LedgerInvariantError(
      `The index has no sums of its state at block ${head.height}: run "indexer rebuild".`,
    );
  ledger.loadSums(sums);
  ledger.accountCount = (await queryRows<{ count: number }>(client, SELECT_ACCOUNT_COUNT))[0]!.count;
  for (const delegate of await queryRows<Delegate>(client, SELECT_DELEGATES)) ledger.loadDelegate(delegate);
  await loadRound(client, ledger, head.height);
  await loadDay(client, ledger, head.height);
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
