import { CreateTables1764090000000 } from './1764090000000-CreateTables.js';
import { AddCheckpoint1764300000000 } from './1764300000000-AddCheckpoint.js';
import { AddHistory1764500000000 } from './1764500000000-AddHistory.js';
import { AddForgingWeights1764700000000 } from './1764700000000-AddForgingWeights.js';
import { BuildIndexesLast1764800000000 } from './1764800000000-BuildIndexesLast.js';
import { AddDetails1764900000000 } from './1764900000000-AddDetails.js';
import { IndexDetails1764910000000 } from './1764910000000-IndexDetails.js';
import { MoveTables1765000000000 } from './1765000000000-MoveTables.js';
import { AddWebhooks1765010000000 } from './1765010000000-AddWebhooks.js';
import { AddStatistics1765020000000 } from './1765020000000-AddStatistics.js';
import { AddCertificates1765030000000 } from './1765030000000-AddCertificates.js';
import { EndChain1765040000000 } from './1765040000000-EndChain.js';
import { IndexVoters1765050000000 } from './1765050000000-IndexVoters.js';
import { RecordRules1765060000000 } from './1765060000000-RecordRules.js';
import { KeepToldHeights1765080000000 } from './1765080000000-KeepToldHeights.js';
import { IndexLocks1765090000000 } from './1765090000000-IndexLocks.js';

/** In the order in which they run; append only. */
export const migrations = [
  CreateTables1764090000000,
  AddCheckpoint1764300000000,
  AddHistory1764500000000,
  AddForgingWeights1764700000000,
  BuildIndexesLast1764800000000,
  AddDetails1764900000000,
  IndexDetails1764910000000,
  MoveTables1765000000000,
  AddWebhooks1765010000000,
  AddStatistics1765020000000,
  AddCertificates1765030000000,
  EndChain1765040000000,
  IndexVoters1765050000000,
  RecordRules1765060000000,
  KeepToldHeights1765080000000,
  IndexLocks1765090000000,
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
  'CreateTables1764070000000',
  'CreateTables1764080000000',
];
