import { sha256 } from '../crypto/hashes.js';

// The tree of RFC 6962, section 2.1: a leaf and a node never have the same bytes, because of the byte before them.

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** SHA-256 of a 0 byte and the leaf in UTF-8. */
export const leafHash = (leaf: string): Buffer => sha256(Buffer.concat([LEAF, Buffer.from(leaf)]));

const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.concat([NODE, left, right]));

/** A node without a sibling moves up as it is. */
const levelAbove = (hashes: readonly Buffer[]): Buffer[] => {
  const above: Buffer[] = [];
  for (let at = 0; at < hashes.length; at += 2) {
    const [left, right] = [hashes[at]!, hashes[at + 1]];
    above.push(right ? nodeHash(left, right) : left);
  }
  return above;
};

/** The root over at least one hash. */
export const merkleRoot = (hashes: readonly Buffer[]): Buffer => {
  let level = hashes;
  while (level.length > 1) level = levelAbove(level);
  return level[0]!;
};

/** The siblings on the way from the hash at `index` up to the root. */
export const merklePath = (hashes: readonly Buffer[], index: number): Buffer[] => {
  const path: Buffer[] = [];
  for (let [level, at] = [hashes, index]; level.length > 1; [level, at] = [levelAbove(level), at >> 1]) {
    const sibling = level[at ^ 1];
    if (sibling) path.push(sibling);
  }
  return path;
};
