import { computePayloadHash } from '@roundhouse/blocks';
import type { BlockHeader, JsonObject, Transaction } from '@roundhouse/chain';
import { decodeFrom } from '../decode/decode-from.js';
import { AnswerTooLongError } from '../errors/node-errors.js';
import type { CoreApi } from './core-api.js';
import { groupBlocks, PAGE_LIMIT, type CoreLine, type PlacedTransaction } from './core-line.js';
import type { Urgency } from './request-budget.js';

/** Whether these are all of the block's transactions, in their order. Nothing shows the order of the genesis block's. */
const isPayloadOf = (
  { height, numberOfTransactions, payloadHash }: BlockHeader,
  transactions: readonly Transaction[],
): boolean =>
  transactions.length === numberOfTransactions &&
  (height === 1 || computePayloadHash(transactions.map(({ id }) => id)) === payloadHash);

/** The transactions of one query, by block id. */
const readGroup = async (
  api: CoreApi,
  line: CoreLine,
  group: readonly BlockHeader[],
  urgency: Urgency,
): Promise<Map<string, Transaction[]>> => {
  const heights = new Map(group.map(({ id, height }) => [id, height]));
  const first = group[0]!.height;
  const announced = group.reduce((sum, { numberOfTransactions }) => sum + numberOfTransactions, 0);
  const placed: PlacedTransaction[] = [];
  for (let page = 1; placed.length < announced; page += 1) {
    const request = line.transactionsRequest(group, page);
    const { status, body } = await api.askTransactions(line, request, urgency);
    // A node that has replaced the block no longer knows it; the caller notices that transactions are missing.
    if (status === 404) break;
    const list = api.pageOf(body, request.path, 'transactions', first);
    for (const value of list) {
      const height = heights.get((value as JsonObject | null)?.['blockId'] as string) ?? first;
      placed.push(decodeFrom(api.name, 'a transaction', value, line.decodeTransaction, height));
    }
    if (placed.length > announced) {
      throw api.tooMany(request.path, `${placed.length} transactions in all`, announced, first);
    }
    if (list.length < PAGE_LIMIT) break;
  }
  const byBlock = new Map<string, Transaction[]>(group.map(({ id }) => [id, []]));
  for (const { blockId, transaction } of line.inPayloadOrder(placed, group)) {
    if (blockId !== null) byBlock.get(blockId)?.push(transaction);
  }
  return byBlock;
};

/**
 * Reads the transactions of blocks, by block id, in payload order. Some are missing if the node has replaced a block.
 */
export const readTransactions = async (
  api: CoreApi,
  headers: readonly BlockHeader[],
  urgency: Urgency,
): Promise<Map<string, readonly Transaction[]>> => {
  const line = await api.line();
  const byBlock = new Map<string, readonly Transaction[]>();
  for (const group of groupBlocks(headers, line.blocksPerTransactionQuery)) {
    const found = await readGroup(api, line, group, urgency).catch((error: unknown) => {
      // A page is bounded by what one block can have: then each block is asked for on its own.
      if (error instanceof AnswerTooLongError && group.length > 1) return new Map<string, Transaction[]>();
      throw error;
    });
    for (const header of group) {
      const { id } = header;
      const own = found.get(id) ?? [];
      byBlock.set(id, own);
      if (group.length === 1 || isPayloadOf(header, own)) continue;
      const alone = (await readGroup(api, line, [header], urgency)).get(id) ?? [];
      byBlock.set(id, alone);
      // The node has replaced its blocks: the others are not asked for.
      if (alone.length !== header.numberOfTransactions) return byBlock;
    }
  }
  return byBlock;
};
