import type { Effect } from './effect.js';

/** Second signatures, multi-signature registrations and IPFS: nothing that this index shows. */
export const applyFeeOnly: Effect = () => {};
