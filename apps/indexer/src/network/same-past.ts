import {
  firstDifferentHeight,
  movesAmount,
  NetworkConfigError,
  typesMovedByOne,
  type Network,
} from '@roundhouse/chain';
import { findFirstMoved, readPosition } from '@roundhouse/storage';
import type { Pool } from 'pg';

/** `made` has the rules that made the index. Throws `NetworkConfigError` if the milestones of `other` differ from them up to `height`. */
export const assertSameMilestones = (made: Network, other: Network, height: number): void => {
  const different = firstDifferentHeight(made, other);
  if (different === null || different > height) return;
  const back =
    different === 1
      ? '"indexer reset --yes"'
      : `"indexer rollback --to ${different - 1} --yes" ("indexer reset --yes" if that is too far down)`;
  throw new NetworkConfigError(
    `it has other rules from height ${different} on than those that made the index, which is at height ${height} already. ` +
      `If the new rules are right, stop the indexers, run ${back}, and start them again.`,
  );
};

/** The same for `customTypes`: only a rebuild changes what they have moved. */
const assertSameTypes = async (pool: Pool, made: Network, other: Network): Promise<void> => {
  const first = await findFirstMoved(pool, typesMovedByOne(made, other));
  if (first === null) return;
  const { typeGroup, type, firstHeight } = first;
  throw new NetworkConfigError(
    `by its customTypes the amounts of type ${typeGroup}/${type} ${movesAmount(first, other) ? 'move' : 'do not move'}, but the index ` +
      `was made by others, and has such transactions from height ${firstHeight} on. If the new ones are right, stop the indexers, run ` +
      `"indexer rebuild" with NETWORK set to this configuration, and start them again; otherwise set NETWORK to the configuration before.`,
  );
};

/** Throws `NetworkConfigError` if `other` has other rules for blocks of the index than those that made it. */
export const assertSamePast = async (pool: Pool, made: Network, other: Network): Promise<void> => {
  const { head } = await readPosition(pool);
  assertSameMilestones(made, other, head?.height ?? 0);
  await assertSameTypes(pool, made, other);
};
