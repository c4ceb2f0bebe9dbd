import type { Help } from '../command.js';

export const exportHelp: Help = {
  summary: 'write the stored blocks as an archive',
  text: `Writes what BLOCK_SOURCE=file:… reads: a block with its transactions a line, from height 1 on, gzipped where FILE ends in
.gz, and the network beside it. It works from the index alone, in one snapshot, beside a writing indexer. An index made
of the archive has the same digests.

Each block is checked against its id, payload hash and totals before it is written; one that the index cannot give back
as it was forged ends the export. Headers are whole, with their signatures; of transactions the index keeps what moves
accounts, so the archive is for Roundhouse, not for a node.

While it is written it is FILE.part. Stopped by Ctrl-C, or killed, the same command goes on with it.`,
  examples: [
    ['indexer export --out chain.ndjson.gz', 'makes chain.network.json, too'],
    ['indexer export --out million.ndjson --to 1000000', 'the first million blocks'],
    ['BLOCK_SOURCE=file:chain.ndjson.gz NETWORK=chain.network.json indexer sync', 'index it elsewhere'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 when the archive is whole, 1 when it cannot be written,
130 or 143 when it was stopped.`,
};
