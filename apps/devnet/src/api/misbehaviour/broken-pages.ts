import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';

export const gapOrder = z.strictObject({ kind: z.literal('gap') });
export const wrongOrderOrder = z.strictObject({ kind: z.literal('wrong-order') });

/** Removes one block from the middle of each list. A list of one block stays whole. */
export const gap = (): Misbehaviour => ({
  onBlocks: (blocks) => blocks.filter((_, index) => blocks.length === 1 || index !== blocks.length >> 1),
});

/** Reverses the lists of blocks. */
export const wrongOrder = (): Misbehaviour => ({ onBlocks: (blocks) => [...blocks].reverse() });
