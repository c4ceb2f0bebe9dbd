import type { Block } from '@roundhouse/chain';
import { decodeBlocks, encodeBlocks } from './block-codec.js';

const block: Block = {
  height: 7,
  id: '17184958558311101492',
  version: 0,
  timestamp: 48,
  previousBlock: '2',
  numberOfTransactions: 3,
  totalAmount: 9_007_199_254_740_993n,
  totalFee: 10_000_001n,
  reward: 200_000_000n,
  payloadLength: 32,
  payloadHash: 'ab'.repeat(32),
  generatorPublicKey: '02' + 'cd'.repeat(32),
  blockSignature: '30',
  transactions: [
    {
      id: '01'.repeat(32),
      type: 0,
      typeGroup: 1,
      senderPublicKey: '03' + 'ef'.repeat(32),
      recipientId: 'AXoXnFi4z1Z6aFvjEYkDVCtBGW2PaRiM25',
      amount: 9_007_199_254_740_993n,
      fee: 10_000_001n,
      asset: null,
    },
    {
      id: '02'.repeat(32),
      type: 6,
      typeGroup: 1,
      senderPublicKey: '03' + 'ef'.repeat(32),
      recipientId: null,
      amount: 0n,
      fee: 1n,
      asset: {
        payments: [{ recipientId: 'AXoXnFi4z1Z6aFvjEYkDVCtBGW2PaRiM25', amount: 13_092_005_600_000_001n }],
      },
    },
    {
      id: '03'.repeat(32),
      type: 2,
      typeGroup: 1,
      senderPublicKey: '03' + 'ef'.repeat(32),
      recipientId: null,
      amount: 0n,
      fee: 2n,
      asset: { username: 'ünïcode_✓', votes: ['+02', '-03'] },
    },
  ],
};

describe('the staging of blocks', () => {
  it('gives back what it was given, amounts beyond 2^53 and all', () => {
    expect(decodeBlocks(encodeBlocks([block, { ...block, height: 8, transactions: [] }]))).toEqual([
      block,
      { ...block, height: 8, transactions: [] },
    ]);
  });
});
