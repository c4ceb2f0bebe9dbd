import { computeBlockId } from '@roundhouse/blocks';
import { z } from 'zod';
import { toBlock, type RawBlock } from '../../chain/raw-block.js';
import type { DevnetContext } from '../devnet-context.js';
import { altered } from './altered.js';
import type { Misbehaviour } from './misbehaviour.js';

export const wrongIdOrder = z.strictObject({ kind: z.literal('wrong-id') });
export const wrongPayloadHashOrder = z.strictObject({ kind: z.literal('wrong-payload-hash') });
export const wrongSignatureOrder = z.strictObject({ kind: z.literal('wrong-signature') });
export const unlawfulOrder = z.strictObject({
  kind: z.literal('unlawful'),
  /**
   * The mistakes: a forger that is not a delegate or does not have the slot, a wrong reward, a version of 2^31 or
   * more.
   */
  breach: z.enum(['stranger', 'forger', 'reward', 'version']),
});

const withId = (block: RawBlock, id: string): RawBlock => ({
  ...block,
  id,
  transactions: block.transactions.map((transaction) => ({ ...transaction, blockId: id })),
});

/** The id matches the contents, so only the contents show the mistake. */
const withOwnId = (block: RawBlock): RawBlock => withId(block, computeBlockId(toBlock(block), false));

/** Answers from a copy of the chain with another newest block, the same in every answer. */
const instead = ({ chain }: DevnetContext, served: RawBlock): Misbehaviour => {
  const lying = chain.copy(chain.log.height, { servedHead: served });
  return { chain: () => lying, end: () => lying.close() };
};

export const wrongId = (context: DevnetContext): Misbehaviour => {
  const { head } = context.chain;
  return instead(context, withId(head, altered(head.id)));
};

export const wrongPayloadHash = (context: DevnetContext): Misbehaviour => {
  const { head } = context.chain;
  return instead(context, withOwnId({ ...head, payloadHash: altered(head.payloadHash) }));
};

export const wrongSignature = (context: DevnetContext): Misbehaviour => {
  const { head } = context.chain;
  return instead(context, withOwnId({ ...head, blockSignature: altered(head.blockSignature) }));
};

/**
 * The newest block is signed by its generator and its id matches its contents, but the rules of the chain forbid it.
 */
export const unlawful = (context: DevnetContext, { breach }: z.infer<typeof unlawfulOrder>): Misbehaviour =>
  instead(context, context.chain.unlawfulHead(breach));
