import { CreateIndex1763700000000 } from './1763700000000-CreateIndex.js';
import { AddDelegatesRegistered1763712000000 } from './1763712000000-AddDelegatesRegistered.js';

/** In the order in which they run; append only. */
export const migrations = [CreateIndex1763700000000, AddDelegatesRegistered1763712000000];
