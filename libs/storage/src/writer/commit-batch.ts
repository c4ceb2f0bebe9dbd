import type { Block, BlockRef, Delegate, LedgerChanges, LedgerHead, Lock } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { BLOCK_COLUMNS, blockLines, TRANSACTION_COLUMNS, transactionLines } from './block-rows.js';
import { copyRows } from './copy-text.js';
import { columns } from './columns.js';
import { HeadMovedError } from './head-moved.error.js';
import { inTransaction } from './in-transaction.js';
import {
  DELETE_LOCKS,
  DELETE_STAGED_UP_TO,
  INSERT_HEAD,
  INSERT_LOCKS,
  INSERT_ROUND,
  MOVE_HEAD,
  NOTIFY_HEAD,
  PRUNE_UNDO,
  UPSERT_DELEGATES,
} from './queries.js';
import {
  UNDO_ACCOUNT_COLUMNS,
  UNDO_DELEGATE_COLUMNS,
  UNDO_LOCK_COLUMNS,
  undoAccountLines,
  undoDelegateLines,
  undoLockLines,
} from './undo-rows.js';
import { writeAccounts } from './write-accounts.js';

/** A run of blocks with all that applying them has changed. */
export interface Batch {
  /** The head that the batch was made from; null before the genesis block. */
  readonly from: BlockRef | null;
  readonly head: LedgerHead;
  readonly delegateCount: number;
  readonly blocks: readonly Block[];
  readonly changes: LedgerChanges;
  /** For how many blocks below the head before-images are kept. */
  readonly undoDepth: number;
}

const writeDelegates = async (client: ClientBase, delegates: readonly Delegate[]): Promise<void> => {
  if (delegates.length === 0) return;
  await client.query(
    UPSERT_DELEGATES,
    columns(
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
    ),
  );
};

const writeLocks = async (client: ClientBase, locks: ReadonlyMap<string, Lock | null>): Promise<void> => {
  if (locks.size === 0) return;
  const open = [...locks.values()].filter((lock) => lock !== null);
  await client.query(DELETE_LOCKS, [[...locks.keys()]]);
  if (open.length === 0) return;
  await client.query(
    INSERT_LOCKS,
    columns(
      open,
      (lock) => lock.transactionId,
      (lock) => lock.senderAddress,
      (lock) => lock.recipientAddress,
      (lock) => lock.amount,
    ),
  );
};

/** Before-images reach down without a gap: where the batch keeps none for a block, all below it go. */
const pruneHeight = ({ blocks, changes, head, undoDepth }: Batch): number => {
  const isGapless = changes.undo.length === blocks.length;
  return isGapless
    ? head.height - undoDepth
    : Math.max(head.height - changes.undo.length, head.height - undoDepth);
};

const writeUndo = async (client: ClientBase, batch: Batch): Promise<void> => {
  const { undo } = batch.changes;
  await copyRows(client, 'undo_accounts', UNDO_ACCOUNT_COLUMNS, undoAccountLines(undo));
  await copyRows(client, 'undo_delegates', UNDO_DELEGATE_COLUMNS, undoDelegateLines(undo));
  await copyRows(client, 'undo_locks', UNDO_LOCK_COLUMNS, undoLockLines(undo));
  for (const statement of PRUNE_UNDO) await client.query(statement, [pruneHeight(batch)]);
};

const moveHead = async (client: ClientBase, { from, head, delegateCount }: Batch): Promise<void> => {
  const to = [head.height, head.id, head.timestamp, head.supply, delegateCount];
  const moved =
    from === null
      ? await client.query(INSERT_HEAD, to)
      : await client.query(MOVE_HEAD, [...to, from.height, from.id]);
  if (moved.rowCount !== 1) throw new HeadMovedError(from);
};

/**
 * Writes a batch in one transaction, whose last statement moves the head from exactly the head that the batch began
 * with. Throws `HeadMovedError`, and stores nothing, where the head is another by now.
 */
export const commitBatch = (client: ClientBase, batch: Batch): Promise<void> =>
  inTransaction(client, async () => {
    const { blocks, changes, head } = batch;
    await copyRows(client, 'blocks', BLOCK_COLUMNS, blockLines(blocks));
    await copyRows(client, 'transactions', TRANSACTION_COLUMNS, transactionLines(blocks));
    await writeAccounts(client, changes);
    await writeDelegates(client, [...changes.delegates]);
    await writeLocks(client, changes.locks);
    for (const { round, firstHeight, forgingOrder } of changes.rounds) {
      await client.query(INSERT_ROUND, [round, firstHeight, forgingOrder]);
    }
    await writeUndo(client, batch);
    await client.query(DELETE_STAGED_UP_TO, [head.height]);
    await client.query(NOTIFY_HEAD, [`${head.height}:${head.id}`]);
    await moveHead(client, batch);
  });
