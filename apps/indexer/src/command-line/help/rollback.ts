import type { Help } from '../command.js';

export const rollbackHelp: Help = {
  summary: 'undo every block above a height',
  text: `Makes the block at HEIGHT the head again: every block above it is undone in one transaction, by the before-images that
are kept for UNDO_DEPTH blocks. Stop the indexers first. One that is started afterwards goes on from HEIGHT; a running
api sees the index before or after, never in between.`,
  examples: [['indexer rollback --to 1234567 --yes', 'block 1234567 becomes the head']],
  closing: `Needs DATABASE_URL. Exit code: 0 when the head is at HEIGHT, 1 when nothing was changed.`,
};
