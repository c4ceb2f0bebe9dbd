import type { Help } from '../command.js';

export const syncHelp: Help = {
  summary: "index up to the source's newest block, and end",
  text: `Indexes as "run" does, from wherever the index is, until its head is the source's newest block or the one at HEIGHT, and
ends. It can be stopped at any time and goes on where it was. Not beside an indexer that writes: that one follows the
source by itself.`,
  examples: [
    ['BLOCK_SOURCE=file:chain.ndjson.gz NETWORK=mainnet indexer sync', 'index an archive'],
    ['indexer sync --to 1000000', 'index the first million blocks, for instance to compare digests'],
  ],
  closing: `Needs BLOCK_SOURCE and DATABASE_URL, as "run" does; health is served only where OPS_PORT is set, and LOG_LEVEL is "warn"
unless it is set. Exit code: 0 when the index is there, 1 when it cannot get there, 130 or 143 when it was stopped.`,
};
