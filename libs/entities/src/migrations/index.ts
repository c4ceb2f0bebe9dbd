import { CreateTables1764070000000 } from './1764070000000-CreateTables.js';
import { AddBalanceIndex1764100000000 } from './1764100000000-AddBalanceIndex.js';
import { AddSequenceToTransactionIndexes1764200000000 } from './1764200000000-AddSequenceToTransactionIndexes.js';
import { AddCheckpoint1764300000000 } from './1764300000000-AddCheckpoint.js';
import { AddPayments1764400000000 } from './1764400000000-AddPayments.js';
import { AddHistory1764500000000 } from './1764500000000-AddHistory.js';

/** In the order in which they run; append only. */
export const migrations = [
  CreateTables1764070000000,
  AddBalanceIndex1764100000000,
  AddSequenceToTransactionIndexes1764200000000,
  AddCheckpoint1764300000000,
  AddPayments1764400000000,
  AddHistory1764500000000,
];

/**
 * The first migrations of version 0.1 and of the development between it and this version. This version cannot read
 * their tables.
 */
export const OBSOLETE_MIGRATIONS: readonly string[] = [
  'CreateIndex1763700000000',
  'CreateTables1763800000000',
  'CreateTables1763900000000',
  'CreateTables1764000000000',
  'CreateTables1764050000000',
  'CreateTables1764060000000',
];
