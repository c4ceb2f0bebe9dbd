import { print, printError } from '@roundhouse/logging';
import { makeCertificate } from '@roundhouse/storage';
import { defineCommand, readWholeNumber } from '../command-line/command.js';
import { readDatabaseSettings } from '../command-line/database-settings.js';
import { endAtFirstSignal } from '../command-line/ending.js';
import { checkDatabase, onDatabase } from '../database/check-database.js';
import { writing } from '../files/access.js';
import { writeWhole } from '../files/write-whole.js';

const NAME_OTHER = 'name a file in a folder that exists and is yours.';

export const command = defineCommand({
  text: `Prints the certificate of a height as JSON: the block, counts, the supply and the root of a Merkle tree over all accounts.
Every index of the chain makes the same bytes. The index keeps the tree, so that the API can prove each account
(docs/certificates.md). An indexer may go on meanwhile.

Without history, it knows the accounts at the head and as far below it as blocks can be undone (UNDO_DEPTH).`,
  examples: [
    ['indexer certificate --out certificate.json', 'the head'],
    ['indexer certificate --height 5000000 --out certificate.json', 'any height, with HISTORY=full'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 if there is a certificate, 1 if not.`,
  options: {
    height: { type: 'string', requiresArg: true, description: 'HEIGHT: of the block (default: the head)' },
    out: { type: 'string', requiresArg: true, description: 'FILE: where it goes (default: stdout)' },
  },
  run: async ({ height, out }, environment) => {
    endAtFirstSignal('Stopped: no certificate is made.');
    const wanted = readWholeNumber('--height', height);
    const { DATABASE_URL } = await readDatabaseSettings(environment);
    await checkDatabase(DATABASE_URL);
    const made = await onDatabase(DATABASE_URL, (client) => makeCertificate(client, wanted ?? undefined));
    if (!made.isFinal)
      printError(
        `Block ${made.height} can still be undone by a fork. If it is, the index drops this certificate: do not use it then.`,
      );
    if (out === undefined) print(made.text.trimEnd());
    else {
      await writing(out, (path) => writeWhole(path, made.text), NAME_OTHER);
      print(`Wrote the certificate of height ${made.height} to ${out}.`);
    }
    return 0;
  },
});
