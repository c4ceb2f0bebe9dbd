import type { Delegate, ForgingRound, Lock, UndoRecords } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { accountSteps } from './account-steps.js';
import type { Batch } from './batch.js';
import { columns } from './columns.js';
import { copyLine } from './copy-text.js';
import { ROUND_DIGEST_COLUMNS, roundDigestLines, STATE_SUMS_COLUMNS, stateSumsLines } from './digest-rows.js';
import { DELETE_LOCKS, INSERT_LOCKS, PRUNE_UNDO, UPSERT_DELEGATES } from './queries.js';
import {
  UNDO_ACCOUNT_COLUMNS,
  UNDO_DELEGATE_COLUMNS,
  UNDO_LOCK_COLUMNS,
  undoAccountLines,
  undoDelegateLines,
  undoLockLines,
} from './undo-rows.js';
import { copyStep, queryStep, type WriteStep } from './write-step.js';

const delegateSteps = (client: ClientBase, delegates: readonly Delegate[]): WriteStep[] => {
  if (delegates.length === 0) return [];
  const values = columns(
    delegates,
    (delegate) => delegate.publicKey,
    (delegate) => delegate.address,
    (delegate) => delegate.username,
    (delegate) => delegate.weight,
    (delegate) => delegate.isResigned,
    (delegate) => delegate.producedBlocks,
    (delegate) => delegate.missedBlocks,
    (delegate) => delegate.forgedFees,
    (delegate) => delegate.forgedRewards,
    (delegate) => delegate.registeredHeight,
    (delegate) => delegate.registeredSequence,
  );
  return [queryStep(client, UPSERT_DELEGATES, values)];
};

const lockSteps = (client: ClientBase, locks: ReadonlyMap<string, Lock | null>): WriteStep[] => {
  if (locks.size === 0) return [];
  const open = [...locks.values()].filter((lock) => lock !== null);
  const values = columns(
    open,
    (lock) => lock.transactionId,
    (lock) => lock.senderAddress,
    (lock) => lock.recipientAddress,
    (lock) => lock.amount,
  );
  const removal = queryStep(client, DELETE_LOCKS, [[...locks.keys()]]);
  return open.length === 0 ? [removal] : [removal, queryStep(client, INSERT_LOCKS, values)];
};

const ROUND_COLUMNS = ['round', 'first_height', 'forging_order'] as const;

function* roundLines(rounds: Iterable<ForgingRound>): Generator<string, void> {
  for (const { round, firstHeight, forgingOrder } of rounds) {
    yield copyLine([round, firstHeight, `{${forgingOrder.join(',')}}`]);
  }
}

/** What undoing takes, which grows with the blocks and need not wait for the end of the batch. */
export const undoSteps = (client: ClientBase, { undo, sums }: UndoRecords): WriteStep[] =>
  copyStep(
    client,
    { table: 'undo_accounts', columns: UNDO_ACCOUNT_COLUMNS, lines: undoAccountLines(undo) },
    { table: 'undo_delegates', columns: UNDO_DELEGATE_COLUMNS, lines: undoDelegateLines(undo) },
    { table: 'undo_locks', columns: UNDO_LOCK_COLUMNS, lines: undoLockLines(undo) },
    { table: 'state_sums', columns: STATE_SUMS_COLUMNS, lines: stateSumsLines(sums) },
  );

const pruneSteps = (client: ClientBase, { head, undoDepth }: Batch): WriteStep[] => {
  const prunedUpTo = head.height - undoDepth;
  return PRUNE_UNDO.map((statement) => ({ run: () => client.query(statement, [prunedUpTo]), sizeBytes: 0 }));
};

/** The statements that bring the tables from one head to the next, but for the blocks and the head itself. */
export const changeSteps = (client: ClientBase, batch: Batch): WriteStep[] => {
  const { changes } = batch;
  return [
    ...accountSteps(client, changes),
    ...delegateSteps(client, [...changes.delegates]),
    ...lockSteps(client, changes.locks),
    ...copyStep(
      client,
      { table: 'rounds', columns: ROUND_COLUMNS, lines: roundLines(changes.rounds) },
      {
        table: 'round_digests',
        columns: ROUND_DIGEST_COLUMNS,
        lines: roundDigestLines(changes.roundDigests),
      },
    ),
    ...undoSteps(client, changes),
    ...pruneSteps(client, batch),
  ];
};
