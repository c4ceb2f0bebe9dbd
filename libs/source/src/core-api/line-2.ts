import { decodeTransaction, decodeTransformedHeader, decodeTransformedTransaction } from '@roundhouse/blocks';
import { blockIdOf, objectOf, type BlockHeader, type JsonObject } from '@roundhouse/chain';
import { PAGE_LIMIT, type CoreLine, type PlacedTransaction } from './core-line.js';

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
    : {
        blockId: blockIdOf(objectOf(value), 'blockId'),
        sequence: 0,
        transaction: decodeTransformedTransaction(value),
      };

/**
 * Lists on 2.x are pages by offset, which cost the node more the deeper they are: only its searches take ranges (Core 2.1
 * to 2.7, `core-api`, the schemas of `blocks` and `transactions`). Their results come newest first: blocks by height,
 * transactions by the timestamp of their block, then by their position in it, which both have an index
 * (`core-database`, the business repositories; `core-database-postgres`, the migrations).
 *
 * Core answers a search from memory for 30 s if it is repeated unchanged, so the limit varies if it can. It answers
 * `/blocks/{height}` from memory for ten minutes, even if the block has been replaced; `/blocks/{id}/…` cannot be wrong.
 */
export const line2: CoreLine = {
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
