import { CreateTables1763800000000 } from './1763800000000-CreateTables.js';

/** In the order in which they run; append only. */
export const migrations = [CreateTables1763800000000];

/** The first migration of version 0.1, whose tables no later version can read. */
export const FIRST_OF_VERSION_0_1 = 'CreateIndex1763700000000';
