import { computePayloadHash, decodeRef } from '@roundhouse/blocks';
import type { Block, BlockHeader, BlockRef, JsonObject, Transaction } from '@roundhouse/chain';
import type { RawSource } from '../block-source.js';
import { decodeFrom } from '../checks/block-checker.js';
import { AnswerTooLongError } from '../errors/node-errors.js';
import { groupBlocks, type CoreApi } from './core-api.js';
import { PAGE_LIMIT, type CoreLine, type PlacedTransaction } from './core-line.js';
import { CoreNode } from './core-node.js';
import { assertStill } from './moved-blocks.js';
import type { Urgency } from './request-budget.js';
import { anotherBlock, tooMany } from './wrong-answers.js';

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
      throw tooMany(api, request.path, `${placed.length} transactions in all`, announced, first);
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
const readTransactions = async (
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

/** Genesis blocks of known networks have a few hundred; full blocks have up to 500. */
const MOST_TRANSACTIONS_OF_BLOCK = 100_000;

/** Transactions beyond this number are left to the next range, so that a range's memory is bounded. */
const MOST_TRANSACTIONS_OF_RANGE = 50_000;

/** A shorter range counts as a request for the newest blocks, which does not wait for other requests. */
const BULK_BLOCKS = 10;

/** The first block that does not match its transactions or the block before it. */
const findMisfit = (blocks: readonly Block[]): Block | null =>
  blocks.find(
    (block, index) =>
      block.transactions.length !== block.numberOfTransactions ||
      (index > 0 && block.previousBlock !== blocks[index - 1]!.id),
  ) ?? null;

/** A node's public API, of Core's line 2.x or 3.x. The first request finds out which. */
export class CoreApiSource extends CoreNode implements RawSource {
  private variant = 0;

  async tip(): Promise<BlockRef> {
    return decodeFrom(this.name, 'its newest block', await this.api.get('/node/syncing'), decodeRef);
  }

  async blockIdAt(height: number): Promise<string | null> {
    return (await this.headers(height, height, 'now'))[0]?.id ?? null;
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    const urgency = to - from + 1 < BULK_BLOCKS ? 'now' : 'bulk';
    // Several nodes behind one address may also disagree about the newest blocks. The second reading counts.
    for (let isSecond = false; ; isSecond = true) {
      const blocks = await this.read(from, to, urgency);
      const misfit = findMisfit(blocks);
      if (misfit !== null) await assertStill(this, blocks, misfit);
      if (misfit === null || isSecond) return blocks;
    }
  }

  private async read(from: number, to: number, urgency: Urgency): Promise<Block[]> {
    const headers = this.atOnce(await this.headers(from, to, urgency));
    const transactions = await readTransactions(this.api, headers, urgency);
    return headers.map((header) => ({ ...header, transactions: transactions.get(header.id) ?? [] }));
  }

  private async headers(from: number, to: number, urgency: Urgency): Promise<BlockHeader[]> {
    const line = await this.api.line();
    const headers: BlockHeader[] = [];
    for (let next = from; next <= to;) {
      const end = Math.min(to, next + PAGE_LIMIT - 1);
      // Core 2.x caches each list, by the whole query. Answers about the newest blocks must never be old.
      this.variant += 1;
      const request = line.blocksRequest(next, end, this.variant);
      const { path } = request;
      const page = await this.api.page(request, urgency, `blocks from height ${next} on`, next);
      const most = end - next + 1;
      if (page.length > most) throw tooMany(this.api, path, `${page.length} blocks`, most, next);
      const ascending = line.isNewestFirst ? page.toReversed() : page;
      for (const [index, value] of ascending.entries()) {
        const header = decodeFrom(this.name, 'a block', value, line.decodeHeader);
        // Not sorted: blocks in a wrong order are the node's fault.
        if (header.height !== next + index) throw anotherBlock(this.api, header.height, next + index, path);
        headers.push(header);
      }
      // Totals and page counts are estimates. A short page shows that the node ends here.
      if (page.length < most) break;
      next = end + 1;
    }
    return headers;
  }

  /** The first blocks whose transactions together fit into one range; at least one block. */
  private atOnce(headers: readonly BlockHeader[]): readonly BlockHeader[] {
    let transactions = 0;
    const end = headers.findIndex(({ height, numberOfTransactions }) => {
      const what = `${numberOfTransactions} transactions in a block`;
      if (numberOfTransactions > MOST_TRANSACTIONS_OF_BLOCK)
        throw tooMany(this.api, '/blocks', what, MOST_TRANSACTIONS_OF_BLOCK, height);
      transactions += numberOfTransactions;
      return transactions > MOST_TRANSACTIONS_OF_RANGE;
    });
    return end === -1 ? headers : headers.slice(0, Math.max(end, 1));
  }
}
