import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';

export const gapOrder = z.strictObject({ kind: z.literal('gap') });
export const wrongOrderOrder = z.strictObject({ kind: z.literal('wrong-order') });

/** One block in the middle of each list is missing. A list of one has no middle and stays whole. */
export const gap = (): Misbehaviour => ({
  onBlocks: (blocks) => blocks.filter((_, index) => blocks.length === 1 || index !== blocks.length >> 1),
});

/** Lists of blocks come the wrong way round. */
export const wrongOrder = (): Misbehaviour => ({ onBlocks: (blocks) => [...blocks].reverse() });
