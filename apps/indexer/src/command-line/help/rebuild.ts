import type { Help } from '../command.js';

export const rebuildHelp: Help = {
  summary: 'make the derived tables anew from the stored blocks',
  text: `Computes accounts, delegates, locks, rounds, digests, the head's counters and the before-images (for UNDO_DEPTH blocks) anew
from the stored blocks, without any node, and brings in what differs by one transaction. Stop the indexers first;
running apis go on serving, and see the index before or after, never in between. A sound index is hardly written to.

Damaged stored blocks are not rebuilt from: the first of them is named, and what helps.`,
  examples: [['indexer rebuild', 'mend whatever "indexer verify" has found']],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role; reads UNDO_DEPTH. Exit code: 0 when the derived tables are what
the blocks make, 1 when the stored blocks are damaged and nothing was changed, 2 when it could not be done. Ctrl-C
ends it at once and leaves the index as it was.`,
};
