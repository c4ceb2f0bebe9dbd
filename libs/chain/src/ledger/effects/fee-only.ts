import type { Effect } from './effect.js';

/** Second signatures, multi-signature registrations and IPFS change nothing else in the index. */
export const applyFeeOnly: Effect = () => {};
