import type { Command } from './command.js';

interface CommandEntry {
  readonly name: string;
  /** One line, for the list of all commands. */
  readonly summary: string;
  /** Each command is loaded only when it is typed: `--help` and completion stay fast. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** All commands, in the order in which `--help` lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'follow the chain until stopped (the default)',
    load: () => import('../commands/run.command.js'),
  },
  {
    name: 'sync',
    summary: "index up to the source's newest block, then end",
    load: () => import('../commands/sync.command.js'),
  },
  {
    name: 'status',
    summary: 'show how far the index is, and what is running',
    load: () => import('../commands/status.command.js'),
  },
  {
    name: 'check-source',
    summary: 'try out the sources: height, speed, limits, and what will not work',
    load: () => import('../commands/check-source.command.js'),
  },
  {
    name: 'verify',
    summary: 'compare the derived tables with the stored blocks',
    load: () => import('../commands/verify.command.js'),
  },
  {
    name: 'rebuild',
    summary: 'recompute the derived tables from the stored blocks',
    load: () => import('../commands/rebuild.command.js'),
  },
  {
    name: 'rollback',
    summary: 'undo every block above a height',
    load: () => import('../commands/rollback.command.js'),
  },
  {
    name: 'export',
    summary: "write an archive, Parquet files or a node's tables",
    load: () => import('../commands/export.command.js'),
  },
  {
    name: 'statement',
    summary: 'print what changed the balance of an account, as CSV',
    load: () => import('../commands/statement.command.js'),
  },
  {
    name: 'certificate',
    summary: 'print what proves every account at a height',
    load: () => import('../commands/certificate.command.js'),
  },
  {
    name: 'snapshot',
    summary: 'write, restore or inspect a snapshot of the index',
    load: () => import('../commands/snapshot.command.js'),
  },
  {
    name: 'digest',
    summary: 'print one SHA-256 per table and one over all',
    load: () => import('../commands/digest.command.js'),
  },
  {
    name: 'migrate',
    summary: "bring the database's schema and roles up to date",
    load: () => import('../commands/migrate.command.js'),
  },
  {
    name: 'reset',
    summary: 'empty the index',
    load: () => import('../commands/reset.command.js'),
  },
];
