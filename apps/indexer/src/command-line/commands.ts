import type { Command } from './command.js';
import { digestCommand } from './commands/digest.js';
import { exportCommand } from './commands/export.js';
import { migrateCommand } from './commands/migrate.js';
import { rebuildCommand } from './commands/rebuild.js';
import { resetCommand } from './commands/reset.js';
import { rollbackCommand } from './commands/rollback.js';
import { runCommand } from './commands/run.js';
import { statusCommand } from './commands/status.js';
import { syncCommand } from './commands/sync.js';
import { verifyCommand } from './commands/verify.js';

/** All commands, in the order in which `--help` lists them. */
export const commands: readonly Command[] = [
  runCommand,
  syncCommand,
  statusCommand,
  verifyCommand,
  rebuildCommand,
  rollbackCommand,
  exportCommand,
  digestCommand,
  migrateCommand,
  resetCommand,
];
