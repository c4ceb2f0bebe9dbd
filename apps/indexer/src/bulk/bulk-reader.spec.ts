import { describe, expect, it } from '@jest/globals';
import { NodeProtocolError, type BlockSegment } from '@roundhouse/source';
import { randomChain } from '@roundhouse/testing';
import { BulkReader, type PreparedBlocks } from './bulk-blocks.service.js';

const { blocks } = randomChain({ seed: 3, blocks: 60 });
const fork = randomChain({ seed: 3, blocks: 60, forkFrom: 31 }).blocks;

const SEGMENT_BLOCKS = 10;

interface Reading {
  readonly reader: BulkReader;
  /** Heights at which the source was opened. */
  readonly opened: number[];
  /** First heights of the segments, in the order of preparation. */
  readonly prepared: number[];
}

interface Wrong {
  /** A block that is refused when its segment is prepared. */
  readonly height?: number;
  /** The height at which the source itself fails. */
  readonly sourceAt?: number;
}

const readerOf = (
  chain = blocks,
  prepareMs: (height: number) => number = () => 0,
  wrong: Wrong = {},
): Reading => {
  const opened: number[] = [];
  const prepared: number[] = [];
  async function* segments(from: number): AsyncGenerator<BlockSegment, void> {
    opened.push(from);
    for (let first = from; first <= chain.length; first += SEGMENT_BLOCKS) {
      if (first === wrong.sourceAt)
        throw new NodeProtocolError('file:x', `it ends at ${first}`, { height: first });
      yield { firstHeight: first, bytes: new Uint8Array() };
    }
  }
  const prepare = async ({ firstHeight }: BlockSegment): Promise<PreparedBlocks> => {
    await new Promise((resolve) => setTimeout(resolve, prepareMs(firstHeight)));
    prepared.push(firstHeight);
    const { height = Infinity } = wrong;
    const end = firstHeight + SEGMENT_BLOCKS;
    const refusal = new NodeProtocolError('file:x', `${height} is wrong`, { height });
    if (height === firstHeight) throw refusal;
    const isWrong = height > firstHeight && height < end;
    const right = chain.slice(firstHeight - 1, (isWrong ? height : end) - 1);
    return { blocks: right, ...(isWrong ? { refusal } : {}) };
  };
  return { reader: new BulkReader(segments, prepare, { sourceName: 'file:x', ahead: 3 }), opened, prepared };
};

const readAll = async (reader: BulkReader, from: number): Promise<number[]> => {
  const heights: number[] = [];
  for (let next = from; ; next = heights.at(-1)! + 1) {
    const read = await reader.read(next);
    if (read === null) return heights;
    heights.push(...read.map(({ height }) => height));
  }
};

describe('reading a source in bulk', () => {
  it('returns every block once and in order, whichever segment is ready first', async () => {
    const { reader, prepared } = readerOf(blocks, (height) => 7 - Math.floor(height / 10));
    expect(await readAll(reader, 1)).toEqual(blocks.map(({ height }) => height));
    expect(prepared).not.toEqual([...prepared].sort((a, b) => a - b));
  });

  it('prepares at most the configured number of segments ahead, and opens the source again for another height', async () => {
    const { reader, opened, prepared } = readerOf();
    await reader.read(1);
    expect(prepared.length).toBeLessThanOrEqual(3);
    expect(reader.next).toBe(11);
    expect((await reader.read(43))![0]!.height).toBe(43);
    expect(opened).toEqual([1, 43]);
  });

  it('returns the blocks that were added to the source after its end was reached', async () => {
    const growing = blocks.slice(0, 20);
    const { reader } = readerOf(growing);
    expect(await readAll(reader, 1)).toHaveLength(20);
    growing.push(...blocks.slice(20, 25));
    expect(await readAll(reader, 21)).toEqual([21, 22, 23, 24, 25]);
  });

  it.each([
    ['a block at the beginning of a segment is', { height: 21 }, 20],
    ['a block within a segment is', { height: 25 }, 24],
    ['the last block of a segment is', { height: 30 }, 29],
    ['the source itself is', { sourceAt: 31 }, 30],
  ])('returns all blocks below the first wrong one, each time, if %s wrong', async (_where, wrong, last) => {
    const { reader, opened } = readerOf(blocks, () => 0, wrong);
    for (const from of [1, 11]) {
      const heights: number[] = [];
      const reading = (async () => {
        for (let next = from; ; next = heights.at(-1)! + 1)
          heights.push(...(await reader.read(next))!.map(({ height }) => height));
      })();
      await expect(reading).rejects.toMatchObject({ code: 'NODE_PROTOCOL', height: last + 1 });
      expect(heights).toEqual(blocks.slice(from - 1, last).map(({ height }) => height));
    }
    expect(opened).toEqual([1, 11]);
  });

  it('refuses a segment that does not link to the previous one', async () => {
    const { reader } = readerOf([...blocks.slice(0, 40), ...fork.slice(40)]);
    await expect(readAll(reader, 1)).rejects.toThrow(NodeProtocolError);
    expect(reader.next).toBeNull();
  });
});
