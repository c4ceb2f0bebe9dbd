import {
  blockIdOf,
  countOf,
  objectOf,
  type BlockHeader,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';
import {
  decodeHeader,
  decodeTransformedHeader,
  decodeTransaction,
  decodeTransformedTransaction,
} from '@roundhouse/blocks';

/** The most entries that Core returns in one page, on either line. */
export const PAGE_LIMIT = 100;

/** A transaction with the id of its block. */
export interface PlacedTransaction {
  /** Null for a raw transaction of 2.x. */
  readonly blockId: string | null;
  /** Its position in the block on 3.x. Always 0 on 2.x. */
  readonly sequence: number;
  readonly transaction: Transaction;
}

/** A request to a node. With a payload it is a POST; those used here only search. */
export interface NodeRequest {
  readonly path: string;
  readonly payload?: JsonObject;
  /** Whether the node may refuse it (400, 422): then the refusal is the answer. */
  readonly isTrial?: boolean;
}

/** How to query one line of Core's public API. Paths are relative to the node's address. */
export interface CoreLine {
  readonly name: '2.x' | '3.x';
  readonly headers: Readonly<Record<string, string>>;
  readonly root: string;
  /** Whether pages of blocks descend. */
  readonly isNewestFirst: boolean;
  /** The most blocks whose transactions one request can ask for. */
  readonly blocksPerTransactionQuery: number;
  /**
   * The blocks from `from` to `to`, in the line's order; not more than a page. `variant` is any number from 0, for a request
   * that must differ from earlier ones.
   */
  blocksRequest(this: void, from: number, to: number, variant: number): NodeRequest;
  /** A page of the transactions of blocks, whose headers ascend. */
  transactionsRequest(this: void, blocks: readonly BlockHeader[], page: number): NodeRequest;
  /** Puts the transactions of several blocks, all their pages, into payload order in each block. */
  inPayloadOrder(
    this: void,
    placed: readonly PlacedTransaction[],
    blocks: readonly BlockHeader[],
  ): PlacedTransaction[];
  decodeHeader(this: void, value: unknown): BlockHeader;
  decodeTransaction(this: void, value: unknown): PlacedTransaction;
}

const placed = (value: unknown, transaction: Transaction): PlacedTransaction => ({
  blockId: blockIdOf(objectOf(value), 'blockId'),
  sequence: countOf(objectOf(value), 'sequence', 0),
  transaction,
});

/** Raw transactions of 2.x do not name their block, but the list has those of each block in turn. */
const placedByCount = (
  placed: readonly PlacedTransaction[],
  blocks: readonly BlockHeader[],
): PlacedTransaction[] => {
  let end = 0;
  return blocks.flatMap(({ id, numberOfTransactions }) =>
    placed.slice(end, (end += numberOfTransactions)).map((one) => ({ ...one, blockId: id })),
  );
};

/** Whether a transaction of 2.x is raw: the other form has the sender's address. */
export const isRaw = (value: unknown): boolean => (value as JsonObject | null)?.['sender'] === undefined;

/**
 * A transaction of 2.x, raw (Core 2.5 to 2.7) or as the node shows it by default, which hides expirations and, up to 2.5,
 * vendor fields of version 2 (`core-api`, `transformTransaction`).
 */
const decodeTransaction2 = (value: unknown): PlacedTransaction =>
  isRaw(value)
    ? { blockId: null, sequence: 0, transaction: decodeTransaction(value) }
    : placed(value, decodeTransformedTransaction(value));

/** Where the fields are that an API hides. */
export const NAME_ANOTHER =
  "name the node's own database (postgres://) or an archive (file:) in BLOCK_SOURCE, or a node of a newer Core";

/**
 * Lists on 2.x are pages by offset, which cost the node more the deeper they are: only its searches take ranges (Core 2.1
 * to 2.7, `core-api`, the schemas of `blocks` and `transactions`). Their results come newest first: blocks by height,
 * transactions by the timestamp of their block, then by their position in it, which both have an index
 * (`core-database`, the business repositories; `core-database-postgres`, the migrations).
 *
 * Core answers a search from memory for 30 s if it is repeated unchanged, so the limit varies if it can. It answers
 * `/blocks/{height}` from memory for ten minutes, even if the block has been replaced; `/blocks/{id}/…` cannot be wrong.
 */
const line2: CoreLine = {
  name: '2.x',
  headers: { 'api-version': '2' },
  root: '/api/v2',
  isNewestFirst: true,
  blocksPerTransactionQuery: PAGE_LIMIT,
  blocksRequest: (from, to, variant) => {
    const least = to - from + 1;
    const limit = least + (variant % (PAGE_LIMIT - least + 1));
    return { path: `/blocks/search?limit=${limit}`, payload: { height: { from, to } } };
  },
  transactionsRequest: (blocks, page) => {
    const [first, last] = [blocks[0]!, blocks.at(-1)!];
    const paging = `limit=${PAGE_LIMIT}&page=${page}`;
    return first === last
      ? { path: `/blocks/${first.id}/transactions?${paging}` }
      : {
          path: `/transactions/search?${paging}`,
          payload: { timestamp: { from: first.timestamp, to: last.timestamp } },
        };
  },
  inPayloadOrder: (placed, blocks) => {
    const inOrder = blocks.length > 1 ? placed.toReversed() : [...placed];
    return inOrder.some(({ blockId }) => blockId === null) ? placedByCount(inOrder, blocks) : inOrder;
  },
  decodeHeader: decodeTransformedHeader,
  decodeTransaction: decodeTransaction2,
};

const line3: CoreLine = {
  name: '3.x',
  headers: {},
  root: '/api',
  isNewestFirst: false,
  // Core allows 100 ids, but at 64 characters each they would make a URL that proxies refuse.
  blocksPerTransactionQuery: 60,
  blocksRequest: (from, to) => ({
    path: `/blocks?height.from=${from}&height.to=${to}&orderBy=height:asc&transform=false&limit=${PAGE_LIMIT}`,
  }),
  // No order: the default is by timestamp and sequence, which 3.0.0 to 3.0.5 refuse if they are asked for it.
  transactionsRequest: (blocks, page) => ({
    path:
      `/transactions?blockId=${blocks.map(({ id }) => id).join(',')}&transform=false` +
      `&limit=${PAGE_LIMIT}&page=${page}`,
  }),
  inPayloadOrder: (placed) => placed.toSorted((a, b) => a.sequence - b.sequence),
  decodeHeader,
  decodeTransaction: (value) => placed(value, decodeTransaction(value)),
};

/** In the order in which they are tried: a 3.x node has nothing under `/api/v2`. */
export const CORE_LINES = [line2, line3] as const;

/** The most transactions per query: deep pages cost the node more than another query. */
const MOST_TRANSACTIONS = 500;

/** Groups the blocks that have transactions, one query per group. */
export const groupBlocks = (headers: readonly BlockHeader[], mostBlocks: number): BlockHeader[][] => {
  const groups: BlockHeader[][] = [];
  let transactions = 0;
  for (const header of headers) {
    if (header.numberOfTransactions === 0) continue;
    const group = groups.at(-1);
    transactions += header.numberOfTransactions;
    if (group && group.length < mostBlocks && transactions <= MOST_TRANSACTIONS) {
      group.push(header);
    } else {
      groups.push([header]);
      transactions = header.numberOfTransactions;
    }
  }
  return groups;
};
