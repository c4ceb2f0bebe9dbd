import { sha256As } from '../crypto/crypto.js';

// The tree of RFC 6962, section 2.1: a leaf and a node never have the same bytes, because of the byte before them. Hashes
// are strings with one character per byte, which cost half as much as buffers.

const HASH_BYTES = 32;

const node = Buffer.alloc(1 + 2 * HASH_BYTES);
node[0] = 1;

const nodeHash = (left: string, right: string): string => {
  node.write(left, 1, 'latin1');
  node.write(right, 1 + HASH_BYTES, 'latin1');
  return sha256As('binary', node);
};

/** SHA-256 of a 0 byte and the leaf in UTF-8. */
export const leafHash = (leaf: string): string => sha256As('binary', `\0${leaf}`);

/** A node without a sibling moves up as it is. */
const levelAbove = (hashes: readonly string[]): string[] => {
  const above: string[] = [];
  for (let at = 0; at < hashes.length; at += 2) {
    const [left, right] = [hashes[at]!, hashes[at + 1]];
    above.push(right === undefined ? left : nodeHash(left, right));
  }
  return above;
};

/** The root over these hashes; over none, that of RFC 6962. */
export const merkleRoot = (hashes: readonly string[]): string => {
  let level = hashes;
  while (level.length > 1) level = levelAbove(level);
  return level[0] ?? sha256As('binary', '');
};

/** The siblings on the way from the hash at `index` up to the root. */
export const merklePath = (hashes: readonly string[], index: number): string[] => {
  const path: string[] = [];
  for (let [level, at] = [hashes, index]; level.length > 1; [level, at] = [levelAbove(level), at >> 1]) {
    const sibling = level[at ^ 1];
    if (sibling !== undefined) path.push(sibling);
  }
  return path;
};

/** The hashes that follow each other in these bytes. */
export const hashesIn = (bytes: Buffer): string[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, place) =>
    bytes.toString('latin1', place * HASH_BYTES, (place + 1) * HASH_BYTES),
  );

export const bytesOfHash = (hash: string): Buffer => Buffer.from(hash, 'latin1');
