import { z } from 'zod';
import { DevnetError } from '../../devnet.error.js';
import type { DevnetContext } from '../devnet-context.js';
import type { Misbehaviour } from './misbehaviour.js';

const depth = z.number().int().min(1).max(10_000);

export const otherNetworkOrder = z.strictObject({ kind: z.literal('other-network') });
export const behindOrder = z.strictObject({ kind: z.literal('behind'), depth });
export const backwardsOrder = z.strictObject({ kind: z.literal('backwards'), depth });
export const forksInTurnOrder = z.strictObject({
  kind: z.literal('forks-in-turn'),
  depth,
  /** How many requests one of the two answers before the other takes over. */
  each: z.number().int().min(1).max(10_000).default(1),
});

const OTHER_NETWORK_BLOCKS = 30;

const assertLongEnough = ({ chain }: DevnetContext, least: number): void => {
  if (chain.log.height <= least)
    throw new DevnetError(`The chain has ${chain.log.height} blocks; ask for a smaller depth.`);
};

/** Answers like a node of another network, with another genesis block and nethash. */
export const otherNetwork = ({ chain }: DevnetContext): Misbehaviour => {
  const other = chain.foreign(OTHER_NETWORK_BLOCKS);
  return { chain: () => other, end: () => other.close() };
};

/** The node stands still, `depth` blocks below the head that the chain had when this was ordered. */
export const behind = (context: DevnetContext, { depth }: z.infer<typeof behindOrder>): Misbehaviour => {
  assertLongEnough(context, depth);
  const copy = context.chain.copy(context.chain.log.height - depth);
  return { chain: () => copy, end: () => copy.close() };
};

/** In the first step a third of `depth` is gone, in the second two thirds, in the last all of it. */
const STEPS = 3;
const REQUESTS_A_STEP = 4;

/** The node loses blocks from answer to answer until `depth` of them are gone. */
export const backwards = (
  context: DevnetContext,
  { depth }: z.infer<typeof backwardsOrder>,
): Misbehaviour => {
  assertLongEnough(context, depth);
  const { height } = context.chain.log;
  let copy: DevnetContext['chain'] | null = null;
  let requests = 0;
  return {
    chain: () => {
      const step = Math.min(Math.ceil((requests += 1) / REQUESTS_A_STEP), STEPS);
      const reached = height - Math.ceil((depth * step) / STEPS);
      if (copy?.log.height !== reached) {
        copy?.close();
        copy = context.chain.copy(reached);
      }
      return copy;
    },
    end: () => copy?.close(),
  };
};

/** Several nodes behind one address that disagree about the newest `depth` blocks. */
export const forksInTurn = (
  context: DevnetContext,
  { depth, each }: z.infer<typeof forksInTurnOrder>,
): Misbehaviour => {
  assertLongEnough(context, depth);
  const other = context.chain.copy(context.chain.log.height);
  other.fork(depth);
  let requests = 0;
  return {
    chain: () => (Math.floor(requests++ / each) % 2 === 0 ? other : null),
    branch: other,
    end: () => other.close(),
  };
};
