import type { Help } from '../command.js';

export const digestHelp: Help = {
  summary: 'print one SHA-256 per table and one over all',
  text: `Two indexes of one chain at the same height have the same digests, whoever made them and however. That reads every row.

The digests of rounds are kept by the writer (docs/decisions/0011): with --rounds or --at they are read, not computed.`,
  examples: [
    ['indexer digest > here.txt', 'to compare with another index by diff'],
    ['indexer digest --at 19607', 'the state after a round, to compare with that of another index'],
  ],
  closing: `Needs DATABASE_URL. Exit code: 0 when all tables were read, 1 when they were not.`,
};
