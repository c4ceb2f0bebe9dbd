import { ApiError, ForkError, UnexpectedAnswerError } from '../errors.js';
import type { Account, Block, BlocksResponse, Delegate, Transaction } from '../generated/api.js';
import { allDelegates } from './all-delegates.js';
import { allAccounts, allTransactions } from './all-pages.js';
import { blocksFrom } from './blocks-from.js';

const delegate = (number: number): Delegate => {
  const publicKey = `02${String(number).padStart(64, '0')}`;
  return { username: `d${number}`, address: `A${number}`, publicKey, vote: null };
};

const block = (height: number, branch = 'a'): Block =>
  ({ height, id: `${branch}${height}`, previousBlock: `${branch}${height - 1}` }) as Block;

type Page = { readonly offset: number; readonly limit: number };

const pageAt = (head: number, { offset, limit }: Page, branch = 'a'): BlocksResponse => {
  const heights = Array.from({ length: limit }, (_, index) => head - offset - index);
  return {
    blocks: heights.filter((height) => height >= 1).map((height) => block(height, branch)),
    success: true,
  };
};

/** Reads pages; `answer` gets the number of the page, from 0 on. Counts the pauses between them. */
const readingPages = (answer: (page: Page, number: number) => BlocksResponse) => {
  const asked: Page[] = [];
  let pauses = 0;
  return {
    asked,
    pauses: () => pauses,
    getPage: async (page: Page) => answer(page, asked.push(page) - 1),
    pause: async () => void (pauses += 1),
  };
};

/** A chain whose head moves by this many blocks with each answer. */
const growing = (head: number, by: number) =>
  readingPages((page, number) => pageAt(head + number * by, page));

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
  ])('are ascending from %d, while the head moves by %d', async (from, by, head) => {
    const heights = await heightsOf(blocksFrom(growing(head, by), from, {}));
    expect(heights).toEqual(range(from, heights.at(-1)!));
    expect(heights.at(-1)).toBeGreaterThanOrEqual(head);
  });

  it('end at the given height, and there are none above the head', async () => {
    expect(await heightsOf(blocksFrom(growing(250, 23), 90, { to: 130 }))).toEqual(range(90, 130));
    expect(await heightsOf(blocksFrom(growing(250, 0), 251, {}))).toEqual([]);
  });

  it.each([
    [0, {}, 'from is 0: heights are whole numbers of at least 1'],
    [-3, {}, 'from is -3'],
    [1.5, {}, 'from is 1.5'],
    [Number.NaN, {}, 'from is NaN'],
    [Infinity, {}, 'from is Infinity'],
    [1, { to: 0 }, 'to is 0'],
    [1, { to: Number.NaN }, 'to is NaN'],
  ])('are refused from height %d with the options %j, before any request', async (from, options, message) => {
    const reading = growing(250, 0);
    const first = blocksFrom(reading, from, options).next();
    await expect(first).rejects.toThrow(RangeError);
    await expect(first).rejects.toThrow(message);
    expect(reading.asked).toEqual([]);
  });

  const failureOf = async (reading: ReturnType<typeof readingPages>) => {
    const given: number[] = [];
    const all = (async () => {
      for await (const { height } of blocksFrom(reading, 1, {})) given.push(height);
    })();
    const error = await all.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ForkError);
    return { error, given };
  };

  it('end with an error if the chain has forked below a returned block', async () => {
    const forking = readingPages((page, number) => pageAt(250, page, number < 2 ? 'a' : 'b'));
    const { error, given } = await failureOf(forking);
    expect(error).toMatchObject({ height: 95, id: 'a95' });
    expect(given).toEqual(range(1, 95));
  });

  it('end with an error if a fork has replaced the last block and the chain has not grown', async () => {
    const forking = readingPages((page, number) => (number < 2 ? pageAt(100, page) : pageAt(95, page, 'b')));
    const { error, given } = await failureOf(forking);
    expect(error).toMatchObject({ height: 95, id: 'a95' });
    expect(given).toEqual(range(1, 95));
  });

  it.each([
    ['below the last returned block', 185],
    ['below the whole page', 5],
  ])('are complete if one of two servers has its head %s', async (_, behind) => {
    const reading = readingPages((page, number) => pageAt(number === 3 ? behind : 200, page));
    expect(await heightsOf(blocksFrom(reading, 1, {}))).toEqual(range(1, 200));
    expect(reading.pauses()).toBe(1);
  });

  it('are an empty list if the head falls below that height and stays there', async () => {
    const restored = readingPages((page, number) => pageAt(number === 0 ? 200 : 50, page));
    expect(await heightsOf(blocksFrom(restored, 190, {}))).toEqual([]);
  });

  it('end with an error if a cache returns the same page for every offset', async () => {
    const cached = readingPages((_, number) => pageAt(200, { offset: 0, limit: number === 0 ? 1 : 100 }));
    await expect(heightsOf(blocksFrom(cached, 1, {}))).rejects.toThrow(UnexpectedAnswerError);
    expect(cached.asked.length).toBeLessThan(30);
  });

  it('end with an error if the head stays below the last returned block', async () => {
    const undone = readingPages((page, number) => pageAt(number < 3 ? 200 : 150, page));
    const { error, given } = await failureOf(undone);
    expect(error).toMatchObject({ height: 190, id: 'a190' });
    expect(given).toEqual(range(1, 190));
    expect(undone.pauses()).toBe(20);
  });
});

describe('all delegates', () => {
  /** Returns pages of the registered delegates; `change` alters the list after each page. */
  const reading = async (
    numbers: readonly number[],
    change: (registered: Set<number>, answers: number) => void,
  ): Promise<{ readonly read: number[]; readonly offsets: number[] }> => {
    const registered = new Set(numbers);
    const offsets: number[] = [];
    const get = async ({ offset, limit }: { offset: number; limit: number }) => {
      offsets.push(offset);
      const delegates = [...registered]
        .sort((a, b) => a - b)
        .slice(offset, offset + limit)
        .map(delegate);
      change(registered, offsets.length);
      return { delegates, success: true as const };
    };
    const read: number[] = [];
    for await (const { username } of allDelegates(get)) read.push(Number(username.slice(1)));
    return { read, offsets };
  };

  it.each([0, 1, 99, 100, 101, 199, 200, 251])('are returned once each, %d of them', async (count) => {
    const { read } = await reading(range(1, count), () => undefined);
    expect(read).toEqual(range(1, count));
  });

  it('are returned once each, even if one is registered between two pages', async () => {
    const { read, offsets } = await reading(range(10, 260), (registered) => registered.add(5));
    expect(read).toEqual(range(10, 260));
    expect(offsets).toEqual([0, 99, 198]);
  });

  it.each([1, 2, 30, 100])(
    'are all returned, even if %d registrations are undone between two pages',
    async (undone) => {
      const { read, offsets } = await reading(range(1, 251), (registered, answers) => {
        if (answers === 1) for (const number of range(1, undone)) registered.delete(number);
      });
      expect(read).toEqual(range(1, 251));
      expect(offsets.slice(0, 3)).toEqual([0, 99, 0]);
    },
  );

  it('are all returned if registrations are undone after each page', async () => {
    const { read } = await reading(range(1, 400), (registered, answers) => registered.delete(answers));
    expect(read).toEqual(range(1, 400));
  });

  it('end with an error if a cache returns the same page for every offset', async () => {
    const page = { delegates: range(1, 100).map(delegate), success: true as const };
    const read: string[] = [];
    const all = (async () => {
      for await (const { username } of allDelegates(async () => page)) read.push(username);
    })();
    await expect(all).rejects.toThrow(UnexpectedAnswerError);
    expect(read).toHaveLength(100);
  });

  it('end if all registrations are undone', async () => {
    const { read } = await reading(range(1, 251), (registered) => registered.clear());
    expect(read).toEqual(range(1, 100));
  });
});

describe('all pages of a list with cursors', () => {
  const transaction = (height: number) => ({ height, blockId: `b${height}` }) as Transaction;
  const account = (address: string) => ({ address }) as Account;

  const heightsIn = async (transactions: AsyncIterable<Transaction>, heights: number[] = []) => {
    for await (const { height } of transactions) heights.push(height);
    return heights;
  };

  /** Answers with these heights, page by page; the cursor is the number of the page. */
  const paged = (pages: readonly (readonly number[] | ApiError)[]) => {
    return async ({ cursor }: { readonly cursor: string | undefined }) => {
      const number = Number(cursor ?? 0);
      const page = pages[number]!;
      if (page instanceof ApiError) throw page;
      const nextCursor = number + 1 < pages.length ? String(number + 1) : null;
      return { transactions: page.map(transaction), nextCursor, success: true as const };
    };
  };

  it('are followed to the end, also past an empty page', async () => {
    expect(await heightsIn(allTransactions(paged([[9, 8], [], [7], []])))).toEqual([9, 8, 7]);
    expect(await heightsIn(allTransactions(paged([[]])))).toEqual([]);
  });

  it('end with ForkError if a fork undid the end of a page', async () => {
    const passed = new ApiError('gone', 409, null, null);
    const heights: number[] = [];
    const all = heightsIn(allTransactions(paged([[9, 8], [], passed])), heights);
    expect(await all.catch((error: unknown) => error)).toMatchObject({ code: 'FORK', height: 8, id: 'b8' });
    expect(heights).toEqual([9, 8]);
  });

  it('begin again if a fork undid where a page ended before anything was returned', async () => {
    const before = paged([[], new ApiError('gone', 409, null, null)]);
    const after = paged([[9, 8]]);
    let asked = 0;
    const all = allTransactions((page) => ((asked += 1) <= 2 ? before(page) : after(page)));
    expect(await heightsIn(all)).toEqual([9, 8]);
  });

  it('end with any other error of the API as it is', async () => {
    const refused = new ApiError('no', 400, null, null);
    await expect(heightsIn(allTransactions(paged([[9], refused])))).rejects.toBe(refused);
  });

  it('have an account once, although its balance fell between two pages', async () => {
    const pages = [['a', 'b'], ['c', 'a'], ['d']];
    const addresses: string[] = [];
    const get = async ({ cursor }: { readonly cursor: string | undefined }) => {
      const number = Number(cursor ?? 0);
      const nextCursor = number < 2 ? String(number + 1) : null;
      return { accounts: pages[number]!.map(account), nextCursor, success: true as const };
    };
    for await (const { address } of allAccounts(get)) addresses.push(address);
    expect(addresses).toEqual(['a', 'b', 'c', 'd']);
  });
});
