import type { BlockHeader, Transaction } from '@roundhouse/chain';
import { decodeHeader, decodeTransformedHeader } from '../decode/block.js';
import { blockIdOf, countOf, objectOf, type JsonObject } from '@roundhouse/blocks';
import { decodeTransaction, decodeTransformedTransaction } from '../decode/transaction.js';

/** The most entries that Core returns in one page, on either line. */
export const PAGE_LIMIT = 100;

/** A transaction with the id of its block. */
export interface PlacedTransaction {
  readonly blockId: string;
  /** Its position in the block on 3.x. Always 0 on 2.x. */
  readonly sequence: number;
  readonly transaction: Transaction;
}

/** A request to a node. With a payload it is a POST; those used here only search. */
export interface NodeRequest {
  readonly path: string;
  readonly payload?: JsonObject;
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
  inPayloadOrder: (placed, blocks) => (blocks.length > 1 ? placed.toReversed() : [...placed]),
  decodeHeader: decodeTransformedHeader,
  decodeTransaction: (value) => placed(value, decodeTransformedTransaction(value)),
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
  transactionsRequest: (blocks, page) => ({
    path:
      `/transactions?blockId=${blocks.map(({ id }) => id).join(',')}&transform=false` +
      `&orderBy=timestamp:asc,sequence:asc&limit=${PAGE_LIMIT}&page=${page}`,
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
