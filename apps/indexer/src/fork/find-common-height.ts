/** Returns the id of the block at a height, or null if there is none. */
export type IdAt = (height: number) => Promise<string | null>;

/** Most forks are 1 or 2 deep: this many heights are tried one by one before the steps double. */
const LINEAR_STEPS = 4;

/**
 * The greatest height at which both chains have the same block, given that they differ at `differing`. 0 if their
 * genesis blocks differ; null if the other side lacks a block (it is changing or behind: ask again later).
 */
export const findCommonHeight = async (
  differing: number,
  ourIdAt: IdAt,
  theirIdAt: IdAt,
): Promise<number | null> => {
  const isCommon = async (height: number): Promise<boolean | null> => {
    const theirs = await theirIdAt(height);
    return theirs === null ? null : theirs === (await ourIdAt(height));
  };
  let above = differing;
  let below = 0;
  for (let step = 1, tries = 0; above > 1; tries += 1) {
    if (tries >= LINEAR_STEPS) step *= 2;
    const height = Math.max(above - step, 1);
    const common = await isCommon(height);
    if (common === null) return null;
    if (common) {
      below = height;
      break;
    }
    above = height;
  }
  // The chains agree at `below` (unless it is 0) and differ at `above`: the last common height is between.
  while (above - below > 1 && below > 0) {
    const middle = below + Math.floor((above - below) / 2);
    const common = await isCommon(middle);
    if (common === null) return null;
    if (common) below = middle;
    else above = middle;
  }
  return below;
};
