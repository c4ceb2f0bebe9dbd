/** A block that a webhook is told of. */
export interface ToldBlock {
  readonly id: string;
  readonly height: number;
  readonly previousBlock: string;
}

const idsOf = (blocks: readonly ToldBlock[]): ReadonlySet<string> => new Set(blocks.map(({ id }) => id));

/**
 * What webhooks were told wrongly, or not at all. One may be told twice, but never of a block before the one below. What
 * happens once more to a block is not seen: its order among the ends is not certain.
 * @param applied in the order of arrival, as `reverted`
 * @param chain the final chain, in any order
 * @param before the ids of the block at which webhooks began, and of all below it
 */
export const mistold = (
  applied: readonly ToldBlock[],
  reverted: readonly ToldBlock[],
  chain: readonly ToldBlock[],
  before: ReadonlySet<string>,
): string[] => {
  const appliedIds = idsOf(applied);
  const revertedIds = idsOf(reverted);
  const finalIds = idsOf(chain);
  const seen = new Set(before);
  const early = applied.filter(({ id, previousBlock }) => {
    seen.add(id);
    return !seen.has(previousBlock);
  });
  const lines = (what: string, blocks: readonly ToldBlock[]): string[] =>
    blocks.map(({ id, height }) => `webhooks were ${what} block ${id} at height ${height}`);
  return [
    ...lines(
      'never told of',
      chain.filter(({ id }) => !before.has(id) && !appliedIds.has(id)),
    ),
    ...lines('told too early of', early),
    ...lines(
      'never told of the end of',
      applied.filter(({ id }) => !finalIds.has(id) && !revertedIds.has(id)),
    ),
    ...lines(
      'told of the end of the unknown',
      reverted.filter(({ id }) => !before.has(id) && !appliedIds.has(id)),
    ),
  ];
};
