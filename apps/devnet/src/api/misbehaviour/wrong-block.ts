import { computeBlockId } from '@roundhouse/chain';
import { z } from 'zod';
import { toBlock, type RawBlock } from '../../chain/raw-block.js';
import type { DevnetContext } from '../devnet-context.js';
import type { Misbehaviour } from './misbehaviour.js';

export const wrongIdOrder = z.strictObject({ kind: z.literal('wrong-id') });
export const wrongPayloadHashOrder = z.strictObject({ kind: z.literal('wrong-payload-hash') });
export const wrongSignatureOrder = z.strictObject({ kind: z.literal('wrong-signature') });

/** Another text of the same form. */
const altered = (digits: string): string => digits.slice(0, -1) + (digits.endsWith('1') ? '2' : '1');

const withId = (block: RawBlock, id: string): RawBlock => ({
  ...block,
  id,
  transactions: block.transactions.map((transaction) => ({ ...transaction, blockId: id })),
});

/** Its id is that of its contents, so that nothing but the contents gives it away. */
const withOwnId = (block: RawBlock): RawBlock => withId(block, computeBlockId(toBlock(block), false));

/** Answers from a copy of the chain whose newest block is another, in every answer alike. */
const instead = ({ chain }: DevnetContext, change: (head: RawBlock) => RawBlock): Misbehaviour => {
  const lying = chain.copy(chain.log.height, { servedHead: change(chain.head) });
  return { chain: () => lying, end: () => lying.close() };
};

export const wrongId = (context: DevnetContext): Misbehaviour =>
  instead(context, (head) => withId(head, altered(head.id)));

export const wrongPayloadHash = (context: DevnetContext): Misbehaviour =>
  instead(context, (head) => withOwnId({ ...head, payloadHash: altered(head.payloadHash) }));

export const wrongSignature = (context: DevnetContext): Misbehaviour =>
  instead(context, (head) => withOwnId({ ...head, blockSignature: altered(head.blockSignature) }));
