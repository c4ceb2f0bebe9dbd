import {
  roundDigest,
  type BlockRef,
  type ForgingRound,
  type RoundDigest,
  type StateSums,
} from '@roundhouse/chain';
import { addresses, publicKeys, roundDigests } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText, byteaText, forgerListOf, queryRows, selectFrom } from '@roundhouse/entities/sql';
import { listWrongCertificates } from '../certificate/wrong-certificates.js';
import { readNetwork } from '../status/position.js';
import { findStateSums, readHasDetails, readHead } from '../writer/load-ledger.js';
import { proveHistory } from './prove-history.js';
import { SnapshotMismatchError, type StateClaim } from './read-claim.js';
import { sumsAtHead, takeBack } from './state-rows.js';

/** One connection may be all of them. Each has an open transaction. */
export interface StateClients {
  readonly blocks: ClientBase;
  readonly transactions: ClientBase;
  /** For all other tables. */
  readonly state: ClientBase;
}

const SELECT_DIGEST = `${selectFrom(roundDigests)} WHERE round = $1`;

const SELECT_ROUND = `
SELECT r.round, r.first_height AS "firstHeight", ${forgerListOf('r')} FROM rounds r WHERE r.round = $1`;

const SELECT_BLOCK = `SELECT ${blockIdText('id')} AS id, "timestamp" FROM blocks WHERE height = $1`;

const SELECT_BLOCK_TOTALS = `
SELECT count(*) AS blocks, coalesce(max(height), 0) AS height, coalesce(sum(number_of_transactions), 0)::bigint AS stated,
  coalesce(sum(total_fee), 0)::bigint AS "forgedFees", coalesce(sum(reward) FILTER (WHERE height > $1), 0)::bigint AS rewards
FROM blocks`;

const COUNT_TRANSACTIONS = `SELECT count(*) AS count, coalesce(sum(fee), 0)::bigint AS fees FROM transactions`;

/** A configuration may list anything. */
const BLOCK_ID = /^(\d{1,20}|[0-9a-f]{64})$/;

const SELECT_EXCEPTED = `
SELECT height, coalesce(number_of_transactions, 0)::bigint AS stated, coalesce(total_fee, 0) AS fees
FROM blocks WHERE id = ANY ($1::bytea[])`;

const COUNT_TRANSACTIONS_AT = `SELECT count(*) AS count FROM transactions WHERE block_height = $1`;

const SELECT_DAILY_FEES = `SELECT coalesce(sum(count), 0)::bigint AS transactions, coalesce(sum(sum_fee), 0)::bigint AS fees FROM daily_fees`;

const SELECT_STATISTICS = `
SELECT count(*) AS days, sum(blocks) AS blocks, sum(transactions) AS transactions, sum(fees)::bigint AS fees,
  (array_agg(supply ORDER BY day DESC))[1] AS supply
FROM daily_statistics`;

const COUNT_UNWEIGHED = `SELECT count(*) AS count FROM rounds WHERE cardinality(weights) IS DISTINCT FROM cardinality(forging_order)`;

const selectNumbers = (table: string): string =>
  `SELECT count(*)::integer AS count, coalesce(max(number), 0) AS last FROM ${table}`;

const SELECT_LAST_GENERATOR = `SELECT coalesce(max(generator), 0) AS generator FROM blocks`;

const SELECT_LAST_MENTIONS = `
SELECT coalesce(max(sender), 0) AS sender, coalesce(max(recipient), 0) AS recipient FROM transactions`;

const SELECT_LAST_PAID = `SELECT coalesce(max(recipient), 0) AS recipient FROM payments`;

const demand = (isSo: boolean, problem: string): void => {
  if (!isSo) throw new SnapshotMismatchError(problem);
};

const areSameSums = (one: StateSums, other: StateSums | undefined): boolean =>
  one.accounts === other?.accounts && one.delegates === other.delegates && one.locks === other.locks;

interface BlockTotals {
  readonly blocks: bigint;
  readonly height: number;
  readonly transactions: bigint;
  /** Of all transactions. */
  readonly fees: bigint;
  /** Of all blocks with transactions, as their headers state them. */
  readonly forgedFees: bigint;
  /** The sum above a height. */
  readonly rewards: bigint;
}

type HeaderTotals = Omit<BlockTotals, 'transactions' | 'fees'> & { readonly stated: bigint };

/**
 * What the headers of the few blocks that the network's exceptions list, and that may be wrong, state in excess of their
 * transactions. `fees` are those of blocks without transactions.
 */
const readExcess = async ({ blocks, transactions, state }: StateClients) => {
  const ids = (await readNetwork(state))?.network.exceptions.blocks ?? [];
  const excepted = await queryRows<{ height: number; stated: bigint; fees: bigint }>(
    blocks,
    SELECT_EXCEPTED,
    [ids.filter((id) => BLOCK_ID.test(id)).map((id) => byteaText('block id', id))],
  );
  const excess = { transactions: 0n, fees: 0n };
  for (const { height, stated, fees } of excepted) {
    const [counted] = await queryRows<{ count: bigint }>(transactions, COUNT_TRANSACTIONS_AT, [height]);
    excess.transactions += stated - counted!.count;
    if (counted!.count === 0n) excess.fees += fees;
  }
  return excess;
};

/** No block and no transaction is missing. */
const proveBlocks = async (
  clients: StateClients,
  head: BlockRef,
  rewardsAbove: number,
): Promise<BlockTotals> => {
  const { blocks, transactions } = clients;
  const [totals] = await queryRows<HeaderTotals>(blocks, SELECT_BLOCK_TOTALS, [rewardsAbove]);
  const [counted] = await queryRows<{ count: bigint; fees: bigint }>(transactions, COUNT_TRANSACTIONS);
  const [block] = await queryRows<{ id: string }>(blocks, SELECT_BLOCK, [head.height]);
  const { stated, forgedFees, ...rest } = totals!;
  const { count, fees } = counted!;
  demand(block?.id === head.id, `The block at height ${head.height} is not the head ${head.id}.`);
  demand(
    rest.height === head.height && rest.blocks === BigInt(head.height),
    `There are ${rest.blocks} blocks up to height ${rest.height}, but the head is at ${head.height}.`,
  );
  const excess = await readExcess(clients);
  demand(
    stated - excess.transactions === count,
    `The blocks have ${stated - excess.transactions} transactions, but ${count} are stored.`,
  );
  return { ...rest, transactions: count, fees, forgedFees: forgedFees - excess.fees };
};

/** Each round has weights, and the fees of each day sum up to those of the transactions. */
const proveDetails = async ({ state }: StateClients, blocks: BlockTotals): Promise<void> => {
  if (!(await readHasDetails(state))) return;
  const [paid] = await queryRows<Pick<BlockTotals, 'fees' | 'transactions'>>(state, SELECT_DAILY_FEES);
  demand(
    paid!.fees === blocks.fees && paid!.transactions === blocks.transactions,
    `daily_fees has ${paid!.fees} of ${paid!.transactions} transactions, but there are ${blocks.fees} of ${blocks.transactions}.`,
  );
  const [unweighed] = await queryRows<{ count: bigint }>(state, COUNT_UNWEIGHED);
  demand(unweighed!.count === 0n, `${unweighed!.count} rounds lack the weights of their forgers.`);
};

/** If there are days, they sum up to all blocks. */
const proveStatistics = async (
  { state }: StateClients,
  { blocks, transactions, forgedFees }: BlockTotals,
  supply: bigint,
): Promise<void> => {
  const [sums] = await queryRows<Record<string, bigint>>(state, SELECT_STATISTICS);
  const wrong = Object.entries({ blocks, transactions, fees: forgedFees, supply })
    .filter(([name, right]) => sums![name] !== right)
    .map(([name, right]) => `${name} ${sums![name]}, but ${right} is right`);
  demand(sums!['days'] === 0n || wrong.length === 0, `daily_statistics sums up to ${wrong.join('; ')}.`);
};

const proveCertificates = async ({ state, ...stored }: StateClients): Promise<void> => {
  const [wrong] = await listWrongCertificates(state, stored);
  demand(wrong === undefined, `At height ${wrong?.height}, ${wrong?.problem}.`);
};

interface Numbers {
  readonly count: number;
  readonly last: number;
}

/** Every number that blocks and transactions mention has its row. Numbers are given from 1 on, without gaps. */
const proveNumbers = async ({ blocks, transactions, state }: StateClients): Promise<void> => {
  const [block] = await queryRows<{ generator: number }>(blocks, SELECT_LAST_GENERATOR);
  const [mention] = await queryRows<{ sender: number; recipient: number }>(
    transactions,
    SELECT_LAST_MENTIONS,
  );
  const [paid] = await queryRows<{ recipient: number }>(state, SELECT_LAST_PAID);
  for (const [{ name }, mentioned] of [
    [publicKeys, Math.max(block!.generator, mention!.sender)],
    [addresses, Math.max(mention!.recipient, paid!.recipient)],
  ] as const) {
    const [numbers] = await queryRows<Numbers & object>(state, selectNumbers(name));
    const { count, last } = numbers!;
    demand(
      count === last && last === mentioned,
      `${name} has ${count} numbers up to ${last}, but the blocks mention those up to ${mentioned}.`,
    );
  }
};

const proveDigest = async (
  { blocks, state }: StateClients,
  { digest, head }: StateClaim & { readonly digest: RoundDigest },
  sums: StateSums,
  rewards: bigint,
): Promise<void> => {
  const { round, height } = digest;
  const [stored] = await queryRows<RoundDigest>(state, SELECT_DIGEST, [round]);
  demand(stored?.digest === digest.digest, `The stored digest of round ${round} is not ${digest.digest}.`);
  const [next] = await queryRows<Omit<ForgingRound, 'weights'>>(state, SELECT_ROUND, [round + 1]);
  const [last] = await queryRows<{ id: string; timestamp: number }>(blocks, SELECT_BLOCK, [height]);
  demand(next !== undefined && last !== undefined, `The end of round ${round} is missing.`);
  const end = { ...last!, height, supply: head.supply - rewards };
  demand(
    roundDigest(end, sums, next!).digest === digest.digest,
    `The rows of accounts, delegates and locks do not give the digest of round ${round}.`,
  );
};

/**
 * Proves that the rows of accounts, delegates and locks are those of the head and give the digest of the newest round,
 * that history ends with them, that certificates fit their leaves, and that every block and transaction up to the head is there. Throws `SnapshotMismatchError`.
 */
export const proveState = async (clients: StateClients, claim: StateClaim): Promise<void> => {
  const { head, digest } = claim;
  const { state } = clients;
  const stored = await readHead(state);
  demand(
    stored?.height === head.height && stored.id === head.id && stored.supply === head.supply,
    `The head is not block ${head.height} (${head.id}).`,
  );
  const [totals, sums] = await Promise.all([
    proveBlocks(clients, head, digest?.height ?? 0),
    sumsAtHead(state),
  ]);
  await proveNumbers(clients);
  await proveDetails(clients, totals);
  await proveStatistics(clients, totals, head.supply);
  const atHead = await findStateSums(state, head);
  const computed = sums.toHex();
  demand(
    areSameSums(computed, claim.sums) && areSameSums(computed, atHead),
    `The rows of accounts, delegates and locks are not those of block ${head.height}.`,
  );
  await proveHistory(state);
  await proveCertificates(clients);
  if (digest === null) return;
  await takeBack(state, sums, digest.height);
  await proveDigest(clients, { ...claim, digest }, sums.toHex(), totals.rewards);
};
