import type { Help } from '../command.js';

export const verifyHelp: Help = {
  summary: 'compare the derived tables with the stored blocks',
  text: `Computes accounts, delegates, locks, rounds, the head's counters and the before-images anew from the stored blocks, in
one snapshot, and compares them with the tables row by row; the blocks' own ids, links, payload hashes and totals are
checked on the way, and that each generator had its slot. What an id of a transaction stands for (recipient, amount, asset) is taken
as it is stored: --against asks a node for what follows from it. It may run beside a writing indexer and changes nothing.

What differs is listed: the table, the row, what was found and what was expected.`,
  examples: [
    ['indexer verify && echo sound', 'check the whole index'],
    ['indexer verify --against https://node.example', 'ask a Core node for what it has computed itself'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 when all is equal, 1 when something differs, 2 when
it could not be found out. Ctrl-C ends it at once; it keeps nothing to go on from.`,
};
