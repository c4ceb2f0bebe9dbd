import { OperatorError } from '@roundhouse/config';
import { print } from '@roundhouse/logging';
import { resetIndex } from '@roundhouse/storage';
import { defineCommand } from '../command-line/command.js';
import { readDatabaseSettings } from '../command-line/database-settings.js';
import { checkDatabase } from '../database/check-database.js';
import { underWriterLock } from '../leader/writer-lock.js';

export const command = defineCommand({
  text: `Empties every table of the index, and forgets which chain it holds. Stop the indexers first. The next one that runs
starts at the genesis block, also of another chain. Webhooks stay registered; they are told of no block up to the present
head again, unless the next chain is another one.`,
  examples: [['indexer reset --yes', 'this cannot be undone, only indexed again']],
  closing: `Needs DATABASE_URL. Exit code: 0 if the index is empty, 1 if nothing was changed.`,
  options: {
    yes: { type: 'boolean', default: false, description: 'without it nothing is done' },
  },
  run: async ({ yes }, environment) => {
    const { DATABASE_URL } = await readDatabaseSettings(environment);
    if (!yes) {
      throw new OperatorError(
        'This empties the whole index: say "indexer reset --yes" if that is what you want.',
      );
    }
    await checkDatabase(DATABASE_URL);
    await underWriterLock(DATABASE_URL, 'reset', resetIndex);
    print('The index is empty.');
    return 0;
  },
});
