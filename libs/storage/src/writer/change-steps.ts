import type { Delegate, ForgingRound, Lock } from '@roundhouse/chain';
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

function* roundLines(rounds: Iterable<ForgingRound>): Generator<string, void> {
  for (const { round, firstHeight, forgingOrder } of rounds) {
    yield copyLine([round, firstHeight, `{${forgingOrder.join(',')}}`]);
  }
}

/** Before-images reach down without a gap: where the batch keeps none for a block, all below it go. */
const pruneHeight = ({ from, changes, head, undoDepth }: Batch): number => {
  const isGapless = changes.undo.length === head.height - (from?.height ?? 0);
  return isGapless
    ? head.height - undoDepth
    : Math.max(head.height - changes.undo.length, head.height - undoDepth);
};

const undoSteps = (client: ClientBase, batch: Batch): WriteStep[] => {
  const { undo } = batch.changes;
  const prunedUpTo = pruneHeight(batch);
  return [
    ...copyStep(client, 'undo_accounts', UNDO_ACCOUNT_COLUMNS, undoAccountLines(undo)),
    ...copyStep(client, 'undo_delegates', UNDO_DELEGATE_COLUMNS, undoDelegateLines(undo)),
    ...copyStep(client, 'undo_locks', UNDO_LOCK_COLUMNS, undoLockLines(undo)),
    ...PRUNE_UNDO.map((statement) => ({ run: () => client.query(statement, [prunedUpTo]), sizeBytes: 0 })),
  ];
};

/** The statements that bring the tables from one head to the next, but for the blocks and the head itself. */
export const changeSteps = (client: ClientBase, batch: Batch): WriteStep[] => {
  const { changes } = batch;
  return [
    ...accountSteps(client, changes),
    ...delegateSteps(client, [...changes.delegates]),
    ...lockSteps(client, changes.locks),
    ...copyStep(client, 'rounds', ['round', 'first_height', 'forging_order'], roundLines(changes.rounds)),
    ...copyStep(client, 'round_digests', ROUND_DIGEST_COLUMNS, roundDigestLines(changes.roundDigests)),
    ...copyStep(client, 'state_sums', STATE_SUMS_COLUMNS, stateSumsLines(changes.sums)),
    ...undoSteps(client, batch),
  ];
};
