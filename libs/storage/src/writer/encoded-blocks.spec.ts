import { randomChain } from '@roundhouse/testing';
import { EncodedBlocks } from './encoded-blocks.js';

const { blocks } = randomChain({ seed: 1, blocks: 10 });
const encoded = EncodedBlocks.of(blocks.slice(3, 8));

describe('the blocks up to a height', () => {
  it('are all blocks if none is above that height', () => {
    expect(encoded.upTo(8)).toBe(encoded);
    expect(encoded.upTo(Infinity)).toBe(encoded);
  });

  it('end with the block at that height', () => {
    expect(encoded.upTo(6)!.blocks).toEqual(blocks.slice(3, 6));
  });

  it('are null if all blocks are above that height', () => {
    expect(encoded.upTo(3)).toBeNull();
  });
});
