import { OperatorError, wholeNumberOf } from '@roundhouse/config';
import { print } from '@roundhouse/logging';
import { adviceToReach, readUndoReach, undoTo, type UndoReach } from '@roundhouse/storage';
import { defineCommand } from '../command-line/command.js';
import { readDatabaseSettings } from '../command-line/database-settings.js';
import { checkDatabase } from '../database/check-database.js';
import { underWriterLock } from '../leader/writer-lock.js';

const assertReachable = (height: number, reach: UndoReach): void => {
  const { head, lowest } = reach;
  if (height > head.height) {
    throw new OperatorError(
      `The index is at height ${head.height}: there is no block ${height} to go back to.`,
    );
  }
  if (height >= lowest) return;
  throw new OperatorError(
    `The index cannot go back to height ${height}: before-images are kept for the ${head.height - lowest} blocks above ` +
      `height ${lowest}. Go back to ${lowest} or higher, or first ${adviceToReach(height, reach)}.`,
  );
};

export const command = defineCommand({
  text: `Makes the block at HEIGHT the head again. Every block above it is undone in one transaction, from the before-images
that are kept for UNDO_DEPTH blocks. Stop the indexers first; an indexer that starts afterwards continues from HEIGHT. A
running api shows the index before or after, never a state in between.`,
  examples: [['indexer rollback --to 1234567 --yes', 'block 1234567 becomes the head']],
  closing: `Needs DATABASE_URL. Exit code: 0 if the head is at HEIGHT, 1 if nothing was changed.`,
  options: {
    to: { type: 'string', requiresArg: true, description: 'HEIGHT: the new head, at least 1' },
    yes: { type: 'boolean', default: false, description: 'without it nothing is done' },
  },
  run: async ({ to = '', yes }, environment) => {
    const { DATABASE_URL } = await readDatabaseSettings(environment);
    const height = wholeNumberOf(to, 1);
    if (height === null) {
      throw new OperatorError(
        'Say which block becomes the head: "indexer rollback --to HEIGHT --yes", 1 or more.',
      );
    }
    if (!yes) {
      throw new OperatorError(
        `This undoes every block above height ${height}: say "indexer rollback --to ${height} --yes" if that is what you want.`,
      );
    }
    await checkDatabase(DATABASE_URL);
    await underWriterLock(DATABASE_URL, 'rollback', async (client) => {
      const reach = await readUndoReach(client);
      if (reach === null) throw new OperatorError('The index is empty: there is nothing to undo.');
      assertReachable(height, reach);
      if (height < reach.head.height) await undoTo(client, reach.head, height);
      print(`The head is block ${height}; ${reach.head.height - height} blocks are undone.`);
    });
    return 0;
  },
});
