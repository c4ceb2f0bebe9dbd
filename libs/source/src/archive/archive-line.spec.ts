import { describe, expect, it } from '@jest/globals';
import type { Block } from '@roundhouse/chain';
import { randomChain, readRecording } from '@roundhouse/testing';
import { decodeBlock } from '../decode/block.js';
import { archiveLine } from '@roundhouse/blocks';

const again = (block: Block): Block => decodeBlock(JSON.parse(archiveLine(block)));

describe('a line of an archive', () => {
  it.each(['core-2.4', 'core-3.9'] as const)('preserves every block of %s', (recording) => {
    const blocks = readRecording(recording, 'chain.ndjson.gz').map((raw) => decodeBlock(raw));
    expect(blocks.length).toBeGreaterThan(300);
    for (const block of blocks) expect(again(block)).toEqual(block);
  });

  it('preserves transactions of every type that changes accounts', () => {
    const { blocks } = randomChain({ seed: 7, blocks: 300 });
    const types = new Set(blocks.flatMap(({ transactions }) => transactions.map(({ type }) => type)));
    expect([...types].sort((a, b) => a - b)).toEqual(expect.arrayContaining([0, 2, 3, 6, 8, 9, 10]));
    for (const block of blocks) expect(again(block)).toEqual(block);
  });

  it('keeps every digit of an amount', () => {
    const [, block] = randomChain({ seed: 1, blocks: 2 }).blocks;
    const large = { ...block!, totalAmount: 9_007_199_254_740_993n };
    expect(again(large).totalAmount).toBe(9_007_199_254_740_993n);
  });
});
