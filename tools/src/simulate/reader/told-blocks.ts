/** A block that a webhook is told of. */
export interface ToldBlock {
  readonly id: string;
  readonly height: number;
  readonly previousBlock: string;
}

const idsOf = (blocks: readonly ToldBlock[]): ReadonlySet<string> => new Set(blocks.map(({ id }) => id));

/**
 * What webhooks were told wrongly, or not at all. One may be told twice, but never of a block before the one below.
 * @param applied in the order of arrival, as `reverted`
 * @param chain the final chain, in any order; webhooks began somewhere in it
 */
export const mistold = (
  applied: readonly ToldBlock[],
  reverted: readonly ToldBlock[],
  chain: readonly ToldBlock[],
): string[] => {
  const lowest = Math.min(...applied.map(({ height }) => height));
  const [appliedIds, revertedIds, finalIds] = [applied, reverted, chain].map(idsOf);
  const seen = new Set<string>();
  const early = applied.filter(({ id, height, previousBlock }) => {
    seen.add(id);
    return height > lowest && !seen.has(previousBlock);
  });
  const lines = (what: string, blocks: readonly ToldBlock[]): string[] =>
    blocks.map(({ id, height }) => `webhooks were ${what} block ${id} at height ${height}`);
  return [
    ...lines(
      'never told of',
      chain.filter(({ id, height }) => height > lowest && !appliedIds!.has(id)),
    ),
    ...lines('told too early of', early),
    ...lines(
      'never told of the end of',
      applied.filter(({ id }) => !finalIds!.has(id) && !revertedIds!.has(id)),
    ),
    ...lines(
      'told of the end of the unknown',
      reverted.filter(({ id, height }) => height > lowest && !appliedIds!.has(id)),
    ),
  ];
};
