import { ForkError } from '../errors.js';
import type { Block, BlocksResponse, Delegate } from '../generated/api.js';
import { allDelegates } from './all-delegates.js';
import { blocksFrom } from './blocks-from.js';

const delegate = (number: number): Delegate => {
  const publicKey = `02${String(number).padStart(64, '0')}`;
  return { username: `d${number}`, address: `A${number}`, publicKey, vote: null };
};

const block = (height: number, branch = 'a'): Block =>
  ({ height, id: `${branch}${height}`, previousBlock: `${branch}${height - 1}` }) as Block;

/** A chain whose head moves by so many blocks with each answer. */
const growing = (head: number, by: number) => {
  const asked: string[] = [];
  const get = async ({ offset, limit }: { offset: number; limit: number }): Promise<BlocksResponse> => {
    asked.push(`${offset}+${limit}`);
    const heights = Array.from({ length: limit }, (_, index) => head - offset - index);
    const blocks = heights.filter((height) => height >= 1).map((height) => block(height));
    head += by;
    return { blocks, success: true };
  };
  return { get, asked };
};

const heightsOf = async (blocks: AsyncIterable<Block>): Promise<number[]> => {
  const heights: number[] = [];
  for await (const { height } of blocks) heights.push(height);
  return heights;
};

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the blocks from a height', () => {
  it.each([
    [1, 0, 250],
    [120, 0, 250],
    [250, 0, 250],
    [1, 7, 250],
    [1, 60, 2_500],
  ])('come ascending from %d, while the head moves by %d', async (from, by, head) => {
    const { get } = growing(head, by);
    const heights = await heightsOf(blocksFrom(get, from, {}));
    expect(heights).toEqual(range(from, heights.at(-1)!));
    expect(heights.at(-1)).toBeGreaterThanOrEqual(head);
  });

  it('end at the height that is named, and are none above the head', async () => {
    expect(await heightsOf(blocksFrom(growing(250, 23).get, 90, { to: 130 }))).toEqual(range(90, 130));
    expect(await heightsOf(blocksFrom(growing(250, 0).get, 251, {}))).toEqual([]);
  });

  it('end with an error where the chain has forked below what was given', async () => {
    const { get } = growing(250, 0);
    let answers = 0;
    const forking = async (page: { offset: number; limit: number }): Promise<BlocksResponse> => {
      const { blocks } = await get(page);
      answers += 1;
      return { blocks: answers < 3 ? blocks : blocks.map(({ height }) => block(height, 'b')), success: true };
    };
    const given: number[] = [];
    const reading = (async () => {
      for await (const { height } of blocksFrom(forking, 1, {})) given.push(height);
    })();
    const error = await reading.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ForkError);
    expect(error).toMatchObject({ height: 95, id: 'a95' });
    expect(given).toEqual(range(1, 95));
  });
});

describe('all delegates', () => {
  it('come once each, also where one is registered between two pages', async () => {
    let registered = range(10, 260).map(delegate);
    const pages: number[] = [];
    const get = async ({ offset, limit }: { offset: number; limit: number }) => {
      pages.push(offset);
      const delegates = registered.slice(offset, offset + limit);
      if (offset === 0) registered = [delegate(5), ...registered];
      return { delegates, success: true as const };
    };
    const names: string[] = [];
    for await (const { username } of allDelegates(get)) names.push(username);
    expect(names).toEqual(range(10, 260).map((number) => `d${number}`));
    expect(pages).toEqual([0, 100, 200]);
  });
});
