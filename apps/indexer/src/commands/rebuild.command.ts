import type { RebuildReport } from '@roundhouse/storage';
import { OperatorError } from '@roundhouse/config';
import { readUndoReach, rebuildIndex } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { checkDatabase } from '../database/check-database.js';
import type { RebuildSettings } from '../indexer.config.js';
import { tryWriterLock } from '../leader/writer-lock.js';
import { Progress } from './progress.js';

/** Before-images may be damaged as well, but what they lead to is what a rebuild begins with, too: blocks. */
const adviceFor = async (client: ClientBase, lastSound: number): Promise<string> => {
  const reach = await readUndoReach(client);
  if (lastSound >= 1 && reach !== null && lastSound >= reach.lowest && lastSound < reach.head.height) {
    return `Go back below it with "indexer rollback --to ${lastSound} --yes", rebuild, and start the indexers: they fetch the rest anew.`;
  }
  return 'The index cannot be taken back below it: empty it with "indexer reset --yes" and index anew, or restore a backup.';
};

const reportLines = ({ head, replaced }: Extract<RebuildReport, { kind: 'rebuilt' }>): string[] => {
  const rebuilt = `Rebuilt from ${head.height} blocks up to ${head.id}`;
  if (replaced.length === 0) return [`${rebuilt}: nothing differed, nothing was written.`];
  return [
    ...replaced.map(
      ({ table, deleted, inserted }) => `${table}: ${deleted} rows taken out, ${inserted} put in`,
    ),
    `${rebuilt}: what differed is mended, and served from now on.`,
  ];
};

const rebuildUnderLock = async (client: ClientBase, undoDepth: number): Promise<boolean> => {
  const progress = new Progress('rebuilding');
  try {
    const report = await rebuildIndex(client, {
      undoDepth,
      onProgress: (done, of) => progress.show(done, of),
    });
    progress.end();
    if (report.kind === 'empty')
      throw new OperatorError('The index is empty: there is nothing to rebuild from.');
    if (report.kind === 'damaged') {
      const { block, lastSound } = report;
      console.log(`block ${block.height}: ${block.problem}`);
      console.log(
        `The stored blocks are damaged, so nothing was changed. ${await adviceFor(client, lastSound)}`,
      );
      return false;
    }
    for (const line of reportLines(report)) console.log(line);
    return true;
  } finally {
    progress.end();
  }
};

/**
 * Makes the derived tables anew from the stored blocks while apis go on serving; false where the stored blocks are
 * damaged, and nothing was changed. Throws `OperatorError` while an indexer writes. Takes no options.
 */
export const rebuild = async ({ DATABASE_URL, UNDO_DEPTH }: RebuildSettings): Promise<boolean> => {
  await checkDatabase(DATABASE_URL);
  const lock = await tryWriterLock(DATABASE_URL);
  if (lock === null) {
    throw new OperatorError(
      'An indexer is writing to this database: stop all of them first; apis may go on. ("indexer verify" runs beside one.)',
    );
  }
  try {
    return await rebuildUnderLock(lock.client, UNDO_DEPTH);
  } finally {
    await lock.release();
  }
};
