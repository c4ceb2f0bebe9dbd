import type { Account, BlockRecords, BlockRef, LedgerChanges, LedgerHead } from '@roundhouse/chain';
import {
  accounts,
  changingColumns,
  dailyFees,
  dailyStatistics,
  delegates,
  keyOf,
  stateSums,
  UNDO_TABLES,
  undoAccounts,
  undoDailyStatistics,
  undoDelegates,
  undoLocks,
  type Column,
  type DailyFeeEntity,
  type Table,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { assignments, isSame, namesOf, unnest } from '@roundhouse/entities/sql';
import { arrayStep, copyStep, textInto, type WriteStep } from './copy.js';
import { historyRows } from './history-rows.js';
import { lockSteps, voteSteps } from './rare-steps.js';
import { roundSteps } from './round-steps.js';

/** All changes made by the blocks of a batch, and the heads before and after. */
export interface Batch {
  /** The head before the batch; null before the genesis block. */
  readonly from: BlockRef | null;
  readonly head: LedgerHead;
  readonly delegateCount: number;
  readonly changes: LedgerChanges;
  /**
   * How many blocks below the head keep before-images. The batch has the before-images of all its blocks within that
   * depth.
   */
  readonly undoDepth: number;
}

const updateAccounts = (columns: readonly Column[]): string => `
UPDATE accounts SET ${assignments(
  columns.filter(({ isKey }) => !isKey),
  'changed',
)}
FROM ${unnest(columns)} WHERE ${isSame(keyOf(accounts), 'accounts', 'changed')}`;

const CHANGING = [...keyOf(accounts), ...changingColumns(accounts)];
/** Most accounts of a batch change only in numbers, so of the indexes only that of balances is touched. */
const NUMBERS = CHANGING.filter(({ isKey, type }) => isKey || type === 'bigint' || type === 'integer');
const UPDATE_NUMBERS = updateAccounts(NUMBERS);
const UPDATE_ACCOUNTS = updateAccounts(CHANGING);

const upsert = (table: Table): string => `
INSERT INTO ${table.name} (${namesOf(table.columns)}) SELECT * FROM ${unnest(table.columns)}
ON CONFLICT (${namesOf(keyOf(table))}) DO UPDATE SET ${assignments(changingColumns(table), 'excluded')}`;

const UPSERT_DELEGATES = upsert(delegates);
const UPSERT_DAYS = upsert(dailyStatistics);

const UPSERT_DAILY_FEES = `
INSERT INTO daily_fees (${namesOf(dailyFees.columns)}) SELECT * FROM ${unnest(dailyFees.columns)}
ON CONFLICT (${namesOf(keyOf(dailyFees))}) DO UPDATE SET count = daily_fees.count + excluded.count,
  sum_fee = daily_fees.sum_fee + excluded.sum_fee, min_fee = least(daily_fees.min_fee, excluded.min_fee),
  max_fee = greatest(daily_fees.max_fee, excluded.max_fee)`;

/** The sums, the ranking and the round of the lowest height that can become the head again are kept. */
const PRUNE_UNDO = [
  ...UNDO_TABLES.map(({ name }) => `DELETE FROM ${name} WHERE height <= $1`),
  `DELETE FROM state_sums WHERE height < $1`,
  `DELETE FROM rankings WHERE height < (SELECT max(height) FROM rankings WHERE height <= $1)`,
  `DELETE FROM round_candidates WHERE first_height < (SELECT max(first_height) FROM rounds WHERE first_height <= $1 + 1)`,
];

const accountText = textInto(accounts);
const stateSumsText = textInto(stateSums);
const undoAccountText = textInto(undoAccounts);
const undoDelegateText = textInto(undoDelegates);
const undoLockText = textInto(undoLocks);
const undoDayText = textInto(undoDailyStatistics);

/** New accounts by COPY, the others only by the columns that changed: an upsert of all would cost twice as much. */
const accountSteps = (client: ClientBase, changes: LedgerChanges): WriteStep[] => {
  const { createdAccounts, updatedAccounts, redirectedAccounts } = changes;
  const moved: Account[] = [];
  const redirected: Account[] = [];
  for (const account of updatedAccounts) (redirectedAccounts.has(account) ? redirected : moved).push(account);
  return [
    ...copyStep(client, accountText(createdAccounts)),
    ...arrayStep(client, UPDATE_NUMBERS, moved, NUMBERS),
    ...arrayStep(client, UPDATE_ACCOUNTS, redirected, CHANGING),
  ];
};

/** Adds the fees of a batch. */
export const feeSteps = (client: ClientBase, fees: readonly DailyFeeEntity[]): WriteStep[] =>
  arrayStep(client, UPSERT_DAILY_FEES, fees, dailyFees.columns);

/** What grows with the blocks and can be written before the batch ends. */
export const recordSteps = (client: ClientBase, { undo, sums, history }: BlockRecords): WriteStep[] => [
  ...copyStep(
    client,
    undoAccountText(undo.flatMap(({ accounts }) => accounts)),
    undoDelegateText(undo.flatMap(({ delegates }) => delegates)),
    undoLockText(undo.flatMap(({ locks }) => locks)),
    undoDayText(undo.flatMap(({ days }) => days)),
    stateSumsText(sums),
    ...(history === null ? [] : historyRows(history)),
  ),
];

const pruneSteps = (client: ClientBase, { head, undoDepth }: Batch): WriteStep[] => {
  const prunedUpTo = head.height - undoDepth;
  return PRUNE_UNDO.map((statement) => ({ run: () => client.query(statement, [prunedUpTo]), sizeBytes: 0 }));
};

const ROUND_NEWS = [
  ...(['claimDrifts', 'rounds', 'roundCandidates', 'roundRevisions'] as const),
  ...(['misplacedBlocks', 'rankings', 'roundDigests'] as const),
];

/** Most blocks change nothing about rounds. */
const hasRoundNews = (changes: LedgerChanges): boolean => ROUND_NEWS.some((name) => changes[name].length > 0);

/** The statements that move the tables from one head to the next, except for the blocks and the head itself. */
export const changeSteps = (client: ClientBase, batch: Batch): WriteStep[] => {
  const { changes } = batch;
  return [
    ...accountSteps(client, changes),
    ...arrayStep(client, UPSERT_DELEGATES, [...changes.delegates], delegates.columns),
    ...(changes.locks.size === 0 ? [] : lockSteps(client, changes.locks)),
    ...arrayStep(client, UPSERT_DAYS, [...changes.days], dailyStatistics.columns),
    ...(hasRoundNews(changes) ? roundSteps(client, changes) : []),
    ...recordSteps(client, changes),
    ...(changes.votes === null ? [] : voteSteps(client, changes.votes)),
    ...pruneSteps(client, batch),
  ];
};
