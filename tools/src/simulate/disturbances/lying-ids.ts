import { setTimeout as wait } from 'node:timers/promises';
import type { Draw } from './disturbance.js';

/** An id that no block has must not undo any block: an index at the head stays on its branch. */
export const lyingIds: Draw = (random, { height }) => {
  const depth = Math.min(random.between(1, 60), Math.max(height - 5, 1));
  const blocks = random.between(1, 6);
  const forMs = random.between(500, 2_500);
  return {
    line: `node lying-ids, depth ${depth}, for ${forMs} ms, with ${blocks} new blocks`,
    hold: 'node',
    run: async (world) => {
      const { devnet, postgres } = world;
      await world.catchUp();
      const before = await postgres.newestFork();
      await devnet.misbehave({ kind: 'lying-ids', depth });
      await devnet.forge(blocks);
      await wait(forMs);
      await devnet.behave();
      await world.catchUp();
      const after = await postgres.newestFork();
      if (after !== null && after !== before)
        world.found(
          'blocks were undone because of ids that no block has: /events reports a fork, but the node had none',
        );
    },
  };
};
