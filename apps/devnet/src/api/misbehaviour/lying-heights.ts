import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';
import { rewritten, type Data } from './rewritten.js';

export const boastingOrder = z.strictObject({
  kind: z.literal('boasting'),
  /** How many blocks more it claims than it has. */
  by: z.number().int().min(1).max(2_000_000_000),
  /** Whether it gives the blocks that it does have. */
  serves: z.boolean().default(true),
});

/** Where a node tells how high it is. */
const STATUS = /^\/api\/(node\/syncing|node\/status|blockchain)$/;
/** In these answers the height goes by this name. */
const HEIGHTS = ['height', 'now'] as const;

/** Claims to be higher than it is; the blocks themselves are right, where it serves any. */
export const boasting = ({ by, serves }: z.infer<typeof boastingOrder>): Misbehaviour => {
  const raised = (data: Data): Data => {
    const heights = HEIGHTS.filter((name) => typeof data[name] === 'number');
    const block = data['block'] as Data | undefined;
    return {
      ...data,
      ...Object.fromEntries(heights.map((name) => [name, (data[name] as number) + by])),
      ...(block ? { block: raised(block) } : {}),
    };
  };
  return { ...rewritten(STATUS, raised), ...(serves ? {} : { onBlocks: () => [] }) };
};
