import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';
import { rewritten, type Data } from './rewritten.js';

export const boastingOrder = z.strictObject({
  kind: z.literal('boasting'),
  /** How many blocks it claims beyond those it has. */
  by: z.number().int().min(1).max(2_000_000_000),
  /** Whether it serves the blocks that it has. */
  serves: z.boolean().default(true),
});

/** The paths at which a node reports its height. */
const STATUS = /^\/api\/(node\/syncing|node\/status|blockchain)$/;
/** The name of the height in these answers. */
const HEIGHTS = ['height', 'now'] as const;

/** Claims a larger height than it has. The blocks that it serves are correct. */
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
