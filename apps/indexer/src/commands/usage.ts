/** What `--help` says: of all commands, and of each that has options. */
export const USAGE = `indexer [command]

  run                          follow the chain (the default)
  migrate                      bring the database's schema and roles up to date
  digest                       print one SHA-256 per table and one over all
  verify                       compare the derived tables with the stored blocks
  rollback --to HEIGHT --yes   undo every block above a height
  reset --yes                  empty the index

"indexer <command> --help" says more about verify and rollback.
Configured by environment variables; docs/configuration.md lists them all.`;

const ROLLBACK = `indexer rollback --to HEIGHT --yes

Makes the block at HEIGHT the head again: every block above it is undone in one transaction, by the
before-images that are kept for UNDO_DEPTH blocks. Stop the indexers first. One that is started
afterwards goes on from HEIGHT; a running api sees the index before or after, never in between.

  --to HEIGHT   the new head, at least 1
  --yes         without it nothing is done

Needs DATABASE_URL. Exit code: 0 when the head is at HEIGHT, 1 when nothing was changed.`;

const VERIFY = `indexer verify [--against URL]

Computes accounts, delegates, locks, rounds, the head's counters and the before-images anew from the stored
blocks, in one snapshot, and compares them with the tables row by row; the blocks' own ids, links, payload
hashes and totals are checked on the way. It may run beside a writing indexer and changes nothing.

What differs is listed: the table, the row, what was found and what was expected.

  --against URL   instead, compare delegates, voters, weights and forged totals with the public API of a
                  running Core node, each at a moment when node and index are at the same block (a Core 3
                  node has some weights wrong until it is restarted: docs/differences.md)

Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 when all is equal, 1 when something
differs, 2 when it could not be found out.`;

const USAGES: Readonly<Record<string, string>> = { rollback: ROLLBACK, verify: VERIFY };

export const usageOf = (command: string): string => USAGES[command] ?? USAGE;
