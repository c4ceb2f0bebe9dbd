import { OperatorError } from '@roundhouse/config';
import { readUndoReach, undoTo, type UndoReach } from '@roundhouse/storage';
import { checkDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';
import { tryWriterLock } from '../leader/writer-lock.js';

interface RollbackArguments {
  /** As it was typed; undefined where it was not. */
  readonly to: string | undefined;
  readonly isConfirmed: boolean;
}

const heightOf = (text: string | undefined): number => {
  if (text !== undefined && /^\d{1,9}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new OperatorError(
    'Say which block becomes the head: "indexer rollback --to HEIGHT --yes", 1 or more.',
  );
};

const assertReachable = (height: number, { head, lowest }: UndoReach): void => {
  if (height > head.height) {
    throw new OperatorError(
      `The index is at height ${head.height}: there is no block ${height} to go back to.`,
    );
  }
  if (height >= lowest) return;
  throw new OperatorError(
    `The index cannot go back to height ${height}: before-images are kept for the ${head.height - lowest} blocks above ` +
      `height ${lowest}. Go back to ${lowest} or higher, or make more of them from the stored blocks first: ` +
      `"indexer rebuild" with UNDO_DEPTH=${head.height - height} or more.`,
  );
};

/** Makes the block at a height the head again, in one transaction, unless an indexer writes. */
export const rollback = async (
  { DATABASE_URL }: DatabaseSettings,
  { to, isConfirmed }: RollbackArguments,
): Promise<void> => {
  const height = heightOf(to);
  if (!isConfirmed) {
    throw new OperatorError(
      `This undoes every block above height ${height}: say "indexer rollback --to ${height} --yes" if that is what you want.`,
    );
  }
  await checkDatabase(DATABASE_URL);
  const lock = await tryWriterLock(DATABASE_URL);
  if (lock === null) throw new OperatorError('An indexer is writing to this database: stop it first.');
  try {
    const reach = await readUndoReach(lock.client);
    if (reach === null) throw new OperatorError('The index is empty: there is nothing to undo.');
    assertReachable(height, reach);
    if (height < reach.head.height) await undoTo(lock.client, reach.head, height);
    console.log(`The head is block ${height}; ${reach.head.height - height} blocks are undone.`);
  } finally {
    await lock.release();
  }
};
