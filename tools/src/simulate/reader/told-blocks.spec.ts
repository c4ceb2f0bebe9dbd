import { describe, expect, it } from '@jest/globals';
import { mistold, type ToldBlock } from './told-blocks.js';

/** `b3` stands on `a2`, unless another one is named. */
const block = (id: string, previousBlock = `a${Number(id[1]) - 1}`): ToldBlock => ({
  id,
  height: Number(id[1]),
  previousBlock,
});

const [a5, a6, a7, b6, b7] = [block('a5'), block('a6'), block('a7'), block('b6'), block('b7', 'b6')];
const chain = [b7, b6, a5, block('a4')];
const before = new Set(['a4']);

describe('what webhooks are told of a fork', () => {
  const applied = [a5, a6, a7, b6, b7];
  const reverted = [a7, a6];

  it('is right if each block comes after the one below, and each undone one ends', () => {
    expect(mistold(applied, reverted, chain, before)).toEqual([]);
    expect(mistold([a5, a6, a6, a7, a7, b6, b7, b7], [a7, a7, a6], chain, before)).toEqual([]);
  });

  it('may go below the block at which they began', () => {
    const [b4, b5] = [block('b4'), block('b5', 'b4')];
    const known = new Set(['a3', 'a4', 'a5']);
    expect(mistold([a6, b4, b5], [a6, a5, block('a4')], [b5, b4, block('a3')], known)).toEqual([]);
    expect(mistold([a6, b4, b5], [a6, a5, block('a4')], [block('b6', 'b5'), b5, b4], known)).toHaveLength(1);
  });

  it.each([
    ['a block is lost', [a5, a6, a7, b6], reverted, ['webhooks were never told of block b7 at height 7']],
    [
      'a block comes too early',
      [a5, a6, a7, b7, b6],
      reverted,
      ['webhooks were told too early of block b7 at height 7'],
    ],
    ['an end is lost', applied, [a7], ['webhooks were never told of the end of block a6 at height 6']],
    [
      'an unknown block ends',
      applied,
      [block('c7'), ...reverted],
      ['webhooks were told of the end of the unknown block c7 at height 7'],
    ],
  ])('is not if %s', (_, told, ended, expected) =>
    expect(mistold(told, ended, chain, before)).toEqual(expected),
  );
});
