import type { Draw } from './disturbance.js';

/** Into the next round of 51, so that the right weights decide who forges. */
const BLOCKS = 60;

/** The node forgets the claims that it miscounted: other delegates forge than those of a node that kept running. */
export const restartNode: Draw = () => ({
  line: `node restarts, with ${BLOCKS} new blocks`,
  hold: 'node',
  run: async ({ devnet }) => {
    await devnet.restartNode();
    await devnet.forge(BLOCKS);
  },
});

/** The restart is undone with the blocks that showed it: the other branch may be that of a node that kept running. */
export const restartNodeThenFork: Draw = (random, { height }) => {
  const depth = Math.min(random.between(1, BLOCKS), Math.max(height - 5, 1));
  return {
    line: `node restarts, with ${BLOCKS} new blocks, caught up, then fork ${depth} deep`,
    hold: 'node',
    run: async (world) => {
      const { devnet } = world;
      await devnet.restartNode();
      await devnet.forge(BLOCKS);
      await world.catchUp();
      await devnet.fork(depth, depth);
    },
  };
};
