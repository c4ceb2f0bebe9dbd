import type { BlockHeader, Transaction } from '@roundhouse/chain';
import { decodeHeader, decodeTransformedHeader } from '../decode/block.js';
import { blockIdOf, countOf, objectOf } from '@roundhouse/blocks';
import { decodeTransaction, decodeTransformedTransaction } from '../decode/transaction.js';

/** The most entries that Core returns in one page, on either line. */
export const PAGE_LIMIT = 100;

/** A transaction with the id of its block. */
export interface PlacedTransaction {
  readonly blockId: string;
  /** Its position in the block on 3.x. Always 0 on 2.x, which lists transactions in payload order. */
  readonly sequence: number;
  readonly transaction: Transaction;
}

/** How to query one line of Core's public API. Paths are relative to the node's address. */
export interface CoreLine {
  readonly name: '2.x' | '3.x';
  readonly headers: Readonly<Record<string, string>>;
  readonly root: string;
  /** The most blocks whose transactions one request can ask for. */
  readonly blocksPerTransactionQuery: number;
  /**
   * The path of a page of blocks in ascending order. The page contains `from`; blocks above `to` are not needed. If
   * the request must differ from earlier ones, give another `limit`, from 1 to 100.
   */
  blocksPath(from: number, to: number, limit: number): string;
  /** How many blocks that page holds if the node has all of them. */
  blocksOnPage(from: number, to: number): number;
  transactionsPath(blockIds: readonly string[], page: number): string;
  decodeHeader(this: void, value: unknown): BlockHeader;
  decodeTransaction(this: void, value: unknown): PlacedTransaction;
}

const placed = (value: unknown, transaction: Transaction): PlacedTransaction => ({
  blockId: blockIdOf(objectOf(value), 'blockId'),
  sequence: countOf(objectOf(value), 'sequence', 0),
  transaction,
});

/**
 * Heights are dense, so page p of an ascending list holds the heights from 100(p−1)+1 to 100p. A single block is
 * requested as a list, too: Core answers `/blocks/{height}` from memory for ten minutes, even if the block has been
 * replaced.
 */
const line2: CoreLine = {
  name: '2.x',
  headers: { 'api-version': '2' },
  root: '/api/v2',
  blocksPerTransactionQuery: 1,
  blocksPath: (from, to, limit) =>
    from === to
      ? `/blocks?height=${from}&limit=${limit}`
      : `/blocks?orderBy=height:asc&limit=${PAGE_LIMIT}&page=${Math.floor((from - 1) / PAGE_LIMIT) + 1}`,
  blocksOnPage: (from, to) => (from === to ? 1 : PAGE_LIMIT),
  transactionsPath: ([blockId], page) => `/blocks/${blockId}/transactions?limit=${PAGE_LIMIT}&page=${page}`,
  decodeHeader: decodeTransformedHeader,
  decodeTransaction: (value) => placed(value, decodeTransformedTransaction(value)),
};

const line3: CoreLine = {
  name: '3.x',
  headers: {},
  root: '/api',
  // Core allows 100 ids, but at 64 characters each they would make a URL that proxies refuse.
  blocksPerTransactionQuery: 60,
  blocksPath: (from, to) =>
    `/blocks?height.from=${from}&height.to=${Math.min(to, from + PAGE_LIMIT - 1)}` +
    `&orderBy=height:asc&transform=false&limit=${PAGE_LIMIT}`,
  blocksOnPage: (from, to) => Math.min(to - from + 1, PAGE_LIMIT),
  transactionsPath: (blockIds, page) =>
    `/transactions?blockId=${blockIds.join(',')}&transform=false&orderBy=timestamp:asc,sequence:asc` +
    `&limit=${PAGE_LIMIT}&page=${page}`,
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
