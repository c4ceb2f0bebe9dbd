import { ForkError, UnexpectedAnswerError } from '../errors.js';
import type { Block, BlocksResponse } from '../generated/api.js';

const PAGE = 100;

/** If the head moves by at most this many blocks between two requests, no page is wasted. */
const FIRST_MARGIN = 5;

/** Servers behind one load balancer differ by at most a second. All pauses together last five seconds. */
export const PAUSE_MS = 250;
const MOST_PAUSES = 20;

/** The most pages in a row without the next block. If there are more, a cache ignores `offset`. */
const MOST_USELESS_PAGES = 20;

export interface BlocksOptions {
  /** The last height. (Default: the height of the head, even if it grows meanwhile) */
  readonly to?: number | undefined;
}

/** What reading blocks needs: `getPage` requests one page, newest block first, and `pause` waits for `PAUSE_MS`. */
export interface BlocksReading {
  readonly getPage: (page: { readonly offset: number; readonly limit: number }) => Promise<BlocksResponse>;
  readonly pause: () => Promise<void>;
}

const LOWEST = 1;

const assertIsHeight = (name: string, height: number): void => {
  if (Number.isSafeInteger(height) && height >= LOWEST) return;
  throw new RangeError(
    `${name} is ${height}: heights are whole numbers of at least ${LOWEST}, the height of the genesis block.`,
  );
};

/** Offsets count from the head, which moves between requests. Each offset is computed from the last head seen. */
export async function* blocksFrom(
  { getPage, pause }: BlocksReading,
  from: number,
  { to = Infinity }: BlocksOptions,
): AsyncGenerator<Block, void> {
  assertIsHeight('from', from);
  if (to !== Infinity) assertIsHeight('to', to);
  let head = (await getPage({ offset: 0, limit: 1 })).blocks[0]?.height ?? 0;
  let last: Block | null = null;
  let next = from;
  let margin = FIRST_MARGIN;
  let pausesLeft = MOST_PAUSES;
  let uselessPages = 0;
  while (next <= Math.min(head, to)) {
    const offset = Math.max(head - next - PAGE + 1 + margin, 0);
    const { blocks } = await getPage({ offset, limit: PAGE });
    const newest = blocks[0];
    if (newest === undefined || newest.height < next - 1) {
      // Either this server is behind the one that answered before, or a fork undid blocks: only time tells which.
      if (pausesLeft === 0) {
        if (last === null) return;
        throw new ForkError(last.height, last.id);
      }
      pausesLeft -= 1;
      await pause();
      // The next page is the newest one, whichever server sends it.
      head = next;
      continue;
    }
    pausesLeft = MOST_PAUSES;
    uselessPages += 1;
    head = newest.height + offset;
    if (blocks.at(-1)!.height > next) margin = Math.min(margin * 2, PAGE - 1);
    for (const block of blocks.toReversed()) {
      if (last !== null && block.height === last.height && block.id !== last.id)
        throw new ForkError(last.height, last.id);
      if (block.height !== next || block.height > to) continue;
      if (last !== null && block.previousBlock !== last.id) throw new ForkError(last.height, last.id);
      last = block;
      next += 1;
      uselessPages = 0;
      yield block;
    }
    if (uselessPages > MOST_USELESS_PAGES)
      throw new UnexpectedAnswerError('/api/blocks', `no page with block ${next}`);
  }
}
