import { describe, expect, it } from '@jest/globals';
import { EncodedBlocks } from '@roundhouse/storage';
import { randomChain } from '@roundhouse/testing';
import { upTo } from './up-to.js';

const { blocks } = randomChain({ seed: 1, blocks: 10 });
const part = blocks.slice(3, 8);

describe('the blocks up to a height', () => {
  it('are all where none is above it', () => {
    expect(upTo(part, 8)).toBe(part);
    expect(upTo(part, Infinity)).toBe(part);
    expect(upTo([], 5)).toEqual([]);
  });

  it('end with it', () => {
    expect(upTo(part, 6)).toEqual(blocks.slice(3, 6));
    const encoded = upTo(EncodedBlocks.of(part), 6) as EncodedBlocks;
    expect(encoded.blocks.map(({ height }) => height)).toEqual([4, 5, 6]);
  });

  it('are none where all are above it', () => {
    expect(upTo(part, 3)).toBeNull();
    expect(upTo(EncodedBlocks.of(part), 1)).toBeNull();
  });
});
