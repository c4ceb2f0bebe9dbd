import type { Help } from '../command.js';

export const statusHelp: Help = {
  summary: 'say how far the index is, and what is at work',
  text: `The head and its age, the source's height as an indexer last heard it, the lag between the two, the round, the supply, what
is staged and not applied yet, the jobs in the queues, whether an indexer writes, and whether the schema is the one that
this version knows. It changes nothing and may run at any time.`,
  examples: [
    ['indexer status', 'once, for people'],
    ['indexer status --watch', 'again and again, until Ctrl-C'],
    ['indexer status --json | jq .lag', 'for programs; the supply is decimal text, so that no digit is lost'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role; REDIS_URL where the queues are in Redis. Exit code: 0 when it could
be told (also of an index that lags), 1 when it could not.`,
};
