import { CreateIndex1763700000000 } from './1763700000000-CreateIndex.js';
import { AddDelegatesRegistered1763712000000 } from './1763712000000-AddDelegatesRegistered.js';
import { AddTransactionsAsset1763726400000 } from './1763726400000-AddTransactionsAsset.js';
import { CreateEvents1763740800000 } from './1763740800000-CreateEvents.js';
import { CreateDigests1763751600000 } from './1763751600000-CreateDigests.js';
import { StoreRoundsPlain1763764800000 } from './1763764800000-StoreRoundsPlain.js';
import { AddHeadRevision1763777700000 } from './1763777700000-AddHeadRevision.js';
import { CreateRefusedBlocks1763791200000 } from './1763791200000-CreateRefusedBlocks.js';
import { AddSourceCheckInterval1763794800000 } from './1763794800000-AddSourceCheckInterval.js';

/** In the order in which they run; append only. */
export const migrations = [
  CreateIndex1763700000000,
  AddDelegatesRegistered1763712000000,
  AddTransactionsAsset1763726400000,
  CreateEvents1763740800000,
  CreateDigests1763751600000,
  StoreRoundsPlain1763764800000,
  AddHeadRevision1763777700000,
  CreateRefusedBlocks1763791200000,
  AddSourceCheckInterval1763794800000,
];
