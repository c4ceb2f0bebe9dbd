import { z } from 'zod';
import type { DevnetContext } from '../devnet-context.js';
import { altered } from './altered.js';
import type { Misbehaviour } from './misbehaviour.js';
import { rewritten, type Data } from './rewritten.js';

export const lyingIdsOrder = z.strictObject({
  kind: z.literal('lying-ids'),
  /** The number of newest blocks for which it reports another id; 1: only its tip. */
  depth: z.number().int().min(1).max(10_000),
});

const TIP_OR_ONE_BLOCK = /^\/api\/(node\/syncing|blockchain|blocks\/[^/]+)$/;

/** Reports wrong ids for its tip and for single blocks. Lists of blocks are correct. */
export const lyingIds = (
  { chain }: DevnetContext,
  { depth }: z.infer<typeof lyingIdsOrder>,
): Misbehaviour => {
  const isNew = (height: unknown): boolean => Number(height) > chain.log.height - depth;
  const lie = (data: Data): Data => {
    const block = data['block'] as Data | undefined;
    if (block) return { ...data, block: lie(block) };
    return isNew(data['height']) ? { ...data, id: altered(String(data['id'])) } : data;
  };
  return rewritten(TIP_OR_ONE_BLOCK, lie);
};
