import { CreateTables1763900000000 } from './1763900000000-CreateTables.js';

/** In the order in which they run; append only. */
export const migrations = [CreateTables1763900000000];

/** The first migrations of older versions, whose tables this one cannot read: version 0.1, and what came between. */
export const OBSOLETE_MIGRATIONS: readonly string[] = [
  'CreateIndex1763700000000',
  'CreateTables1763800000000',
];
