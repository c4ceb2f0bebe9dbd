import { RefusedByNodeError } from '../errors.js';

/** A node tries no more values of one asset as numbers and booleans. */
const MOST_CAST = 5;

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/**
 * The assets that a node looks for: text that reads as a number or a boolean may also be one. Every combination is tried.
 * Source: core-database/src/transaction-filter.ts of Core 3.9.1.
 */
export const assetCandidates = (asset: object): readonly Json[] => {
  let cast = 0;
  const alternatives = (value: unknown): readonly Json[] => {
    if (Array.isArray(value))
      return value
        .map(alternatives)
        .reduce<readonly Json[][]>(
          (lists, ones) => lists.flatMap((list) => ones.map((one) => [...list, one])),
          [[]],
        );
    if (typeof value === 'object')
      return Object.entries(value!)
        .map(([name, inner]) => [name, alternatives(inner)] as const)
        .reduce<readonly Record<string, Json>[]>(
          (objects, [name, ones]) =>
            objects.flatMap((object) => ones.map((one) => ({ ...object, [name]: one }))),
          [{}],
        );
    const text = value as string;
    const isNumber = String(Number(text)) === text;
    if (!isNumber && text !== 'true' && text !== 'false') return [text];
    cast += 1;
    if (cast > MOST_CAST)
      throw new RefusedByNodeError(
        `At most ${MOST_CAST} values of an asset may read as numbers or booleans.`,
      );
    return [text, isNumber ? Number(text) : text === 'true'];
  };
  return alternatives(asset);
};
