import { sha256 } from '../crypto/crypto.js';

/**
 * The active delegates of a round in the order in which they forge (protocol.md, "Rounds"). `active` is sorted by
 * weight and not changed. Core 2.4 and 3.9 skip one index after every four swaps.
 */
export const forgingOrder = (active: readonly string[], round: number): string[] => {
  const order = [...active];
  const { length } = order;
  let seed = sha256(String(round));
  for (let i = 0; i < length; i += 1) {
    for (let byte = 0; byte < 4 && i < length; byte += 1, i += 1) {
      const other = seed[byte]! % length;
      [order[i], order[other]] = [order[other]!, order[i]!];
    }
    seed = sha256(seed);
  }
  return order;
};
