import { ForkError } from '../errors.js';
import type { Block, BlocksResponse } from '../generated/api.js';

const PAGE = 100;

/** The head may move by this many blocks between two requests without a wasted page. */
const FIRST_MARGIN = 5;

export interface BlocksOptions {
  /** The last height. (Default: the head at the time when it is reached) */
  readonly to?: number | undefined;
}

type Page = { readonly offset: number; readonly limit: number };

const LOWEST = 1;

const assertIsHeight = (name: string, height: number): void => {
  if (Number.isSafeInteger(height) && height >= LOWEST) return;
  throw new RangeError(
    `${name} is ${height}: heights are whole numbers of at least ${LOWEST}, the height of the genesis block.`,
  );
};

/** Offsets count from the head, which moves between requests. Each offset is computed from the last head seen. */
export async function* blocksFrom(
  get: (page: Page) => Promise<BlocksResponse>,
  from: number,
  { to = Infinity }: BlocksOptions,
): AsyncGenerator<Block, void> {
  assertIsHeight('from', from);
  if (to !== Infinity) assertIsHeight('to', to);
  let head = (await get({ offset: 0, limit: 1 })).blocks[0]?.height ?? 0;
  let last: Block | null = null;
  let next = from;
  let margin = FIRST_MARGIN;
  while (next <= Math.min(head, to)) {
    const offset = Math.max(head - next - PAGE + 1 + margin, 0);
    const { blocks } = await get({ offset, limit: PAGE });
    const newest = blocks[0];
    // The head is now below this page, so the last returned block is gone.
    if (newest === undefined) {
      if (last !== null) throw new ForkError(last.height, last.id);
      return;
    }
    head = newest.height + offset;
    if (blocks.at(-1)!.height > next) margin = Math.min(margin * 2, PAGE - 1);
    if (last !== null && newest.height < last.height) throw new ForkError(last.height, last.id);
    for (const block of blocks.toReversed()) {
      if (block.height !== next || block.height > to) continue;
      if (last !== null && block.previousBlock !== last.id) throw new ForkError(last.height, last.id);
      last = block;
      next += 1;
      yield block;
    }
  }
}
