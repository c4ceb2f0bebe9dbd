import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';

export const gapOrder = z.strictObject({ kind: z.literal('gap') });
export const wrongOrderOrder = z.strictObject({ kind: z.literal('wrong-order') });

/** One block in the middle of each list is missing; of a list of one, nothing is left. */
export const gap = (): Misbehaviour => ({
  onBlocks: (blocks) => blocks.filter((_, index) => index !== blocks.length >> 1),
});

/** Lists of blocks come the wrong way round. */
export const wrongOrder = (): Misbehaviour => ({ onBlocks: (blocks) => [...blocks].reverse() });
