import { bytesOfHash, hashesIn, merkleRoot, PAGE_LEAVES, type Certificate } from '@roundhouse/chain';

// PostgreSQL makes the pages and their roots, as `merkleRoot` would: to send each leaf to this process and back takes half
// as long again.

const HASH_BYTES = 32;
const LEVELS = Array.from({ length: Math.log2(PAGE_LEAVES) }, (_, below) => below);

/** SQL of level `below + 1` of a page's tree. A hash without a sibling moves up as it is. */
const levelAbove = (below: number): string => {
  const [hashes, pair] = [`level_${below}`, `substr(level_${below}, at, ${2 * HASH_BYTES})`];
  return `CROSS JOIN LATERAL (
  SELECT string_agg(CASE length(${pair}) WHEN ${HASH_BYTES} THEN ${pair} ELSE sha256('\\x01' || ${pair}) END, '' ORDER BY at) AS level_${below + 1}
  FROM generate_series(1, length(${hashes}), ${2 * HASH_BYTES}) AS at
) AS above_${below}`;
};

/** SQL of the pages that hold `leaf` at `place`. */
export const pagesOver = (leaves: string): string => `(
SELECT page, split_part(leaves[1], E'\\t', 1) AS first_address, leaves, level_${LEVELS.length} AS root
FROM (
  SELECT (place / ${PAGE_LEAVES})::integer AS page, array_agg(leaf ORDER BY place) AS leaves,
    string_agg(sha256('\\x00' || convert_to(leaf, 'UTF8')), '' ORDER BY place) AS level_0
  FROM (${leaves}) AS listed GROUP BY place / ${PAGE_LEAVES}
) AS filled
${LEVELS.map(levelAbove).join('\n')})`;

export type Tree = Pick<Certificate, 'accounts' | 'root'>;

/** What all pages have together; the roots follow each other. */
export interface PageTotals {
  readonly accounts: number;
  readonly roots: Buffer;
}

/** The tree over these pages. */
export const treeOf = ({ accounts, roots }: PageTotals): Tree => ({
  accounts,
  root: bytesOfHash(merkleRoot(hashesIn(roots))).toString('hex'),
});
