import type { Effect } from './effect.js';

/** Changes nothing but the fee. */
export const applyIpfs: Effect = () => {};
