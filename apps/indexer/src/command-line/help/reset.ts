import type { Help } from '../command.js';

export const resetHelp: Help = {
  summary: 'empty the index',
  text: `Empties every table of the index, also the note which chain it holds. Stop the indexers first; the next one that runs
begins at the genesis block, of another chain if need be.`,
  examples: [['indexer reset --yes', 'there is no way back but indexing anew']],
  closing: `Needs DATABASE_URL. Exit code: 0 when the index is empty, 1 when nothing was changed.`,
};
