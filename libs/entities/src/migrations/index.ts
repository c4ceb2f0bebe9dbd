import { CreateTables1764000000000 } from './1764000000000-CreateTables.js';

/** In the order in which they run; append only. */
export const migrations = [CreateTables1764000000000];

/**
 * The first migrations of version 0.1 and of the development between it and this version. This version cannot read
 * their tables.
 */
export const OBSOLETE_MIGRATIONS: readonly string[] = [
  'CreateIndex1763700000000',
  'CreateTables1763800000000',
  'CreateTables1763900000000',
];
