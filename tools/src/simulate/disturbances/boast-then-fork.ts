import { setTimeout as wait } from 'node:timers/promises';
import type { Draw } from './disturbance.js';

/** The pause between the order and the blocks, so that the claim is heard first. */
const HEARD_MS = 500;

/** Blocks below a claimed height are undone like any others: a claim deletes nothing that undoing needs. */
export const boastThenFork: Draw = (random, { height }) => {
  const by = random.pick([1_000, 1_000_000]);
  const blocks = random.between(1, 6);
  const forMs = random.between(500, 2_000);
  const depth = Math.min(random.between(2, 40), Math.max(height - 5, 1));
  return {
    line: `node boasting, by ${by}, for ${forMs} ms, with ${blocks} new blocks, then fork ${depth} deep`,
    hold: 'node',
    run: async ({ devnet }) => {
      await devnet.misbehave({ kind: 'boasting', by });
      await wait(HEARD_MS);
      await devnet.forge(blocks);
      await wait(forMs);
      await devnet.behave();
      await devnet.fork(depth, depth);
    },
  };
};
