import type { Help } from '../command.js';

export const runHelp: Help = {
  summary: 'follow the chain until stopped (the default)',
  text: `Indexes whatever the source has and the index has not, then each block as it comes, and follows forks. Any number may
run side by side on one database: all fetch, one writes. Health and metrics are served on OPS_PORT.`,
  examples: [
    [
      'BLOCK_SOURCE=https://node.example DATABASE_URL=postgres://localhost/roundhouse indexer',
      "follow a node's public API",
    ],
  ],
  closing: `Needs BLOCK_SOURCE and DATABASE_URL. Exit code: 0 after SIGINT or SIGTERM, 1 when it cannot start or go on.`,
};
