import { Param, Query } from '@nestjs/common';
import {
  BLOCK_FIELDS,
  CORE_ANSWERS,
  corePath,
  coreQuery,
  coreTableList,
  ID,
  notFound,
  TRANSACTION_FIELDS,
} from '@roundhouse/dto/core-v2';
import {
  CoreBlocksReader,
  CoreTransactionsReader,
  type CoreBlockRow,
  type CoreListPage,
  type CoreTransactionRow,
} from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { CoreGet, CoreV2Controller, IndexedGet, Pathname } from './core-v2.decorators.js';
import { listAnswer, pageOf, placesOf } from './list-answer.js';
import { rawBlock, rawBlockInMemory, rawTransaction, shownAlone, shownBlock } from './resources.js';

export class BlocksQuery extends coreTableList(BLOCK_FIELDS) {}
export class TransactionsQuery extends coreTableList(TRANSACTION_FIELDS) {}
export class TransformQuery extends coreQuery() {}
class BlockPath extends corePath('id', ID.block) {}
class AnyPath extends corePath('id', ID.any) {}

export const NEWEST_BLOCKS = [{ property: 'height', direction: 'desc' }] as const;
export const NEWEST_TRANSACTIONS = [
  { property: 'timestamp', direction: 'desc' },
  { property: 'sequence', direction: 'desc' },
] as const;

/** A list of blocks as a node answers it. It always estimates how many raw blocks there are. */
export const blocksAnswer = async (
  reader: CoreBlocksReader,
  request: BlocksQuery,
  pathname: string,
  chain: ChainView,
  page: CoreListPage,
) => {
  const look = (block: CoreBlockRow) => (request.transform ? shownBlock(block, chain) : rawBlock(block));
  return listAnswer(request, pathname, await reader.listBlocks(chain.head, page), look);
};

/** A list of transactions as a node answers it; `shown` is how a transformed one looks. */
export const transactionsAnswer = async (
  reader: CoreTransactionsReader,
  request: TransactionsQuery,
  pathname: string,
  chain: ChainView,
  page: CoreListPage,
  shown: (transaction: CoreTransactionRow, chain: ChainView) => object,
) => {
  const look = request.transform ? shown : rawTransaction;
  const found = await reader.listTransactions(chain.head, page);
  return listAnswer(request, pathname, found, (row) => look(row, chain));
};

@CoreV2Controller('blocks')
export class BlocksController {
  constructor(
    private readonly blocks: CoreBlocksReader,
    private readonly transactions: CoreTransactionsReader,
  ) {}

  @CoreGet('', 'Blocks.', CORE_ANSWERS.blocks)
  listBlocks(@Query() query: BlocksQuery, @Pathname() pathname: string): MakeContent<object> {
    const page = pageOf(query, NEWEST_BLOCKS);
    return made({ places: placesOf(this.blocks, page), key: pathname }, async (chain) => {
      if (!this.blocks.isOfHeights(page)) chain.assertListIndexes();
      const answer = await blocksAnswer(this.blocks, query, pathname, chain, page);
      const totalCountIsEstimate = answer.meta.totalCountIsEstimate || !query.transform;
      return { ...answer, meta: { ...answer.meta, totalCountIsEstimate } };
    });
  }

  @CoreGet('first', 'The genesis block.', CORE_ANSWERS.block)
  getFirst(@Query() { transform }: TransformQuery): MakeContent<object> {
    return (chain) => this.inMemory(chain, 1, transform);
  }

  @CoreGet('last', 'The newest block.', CORE_ANSWERS.block)
  getLast(@Query() { transform }: TransformQuery): MakeContent<object> {
    return (chain) => this.inMemory(chain, chain.head.height, transform);
  }

  @CoreGet(':id', 'A block, by its height or id.', CORE_ANSWERS.block)
  getBlock(@Query() { transform }: TransformQuery, @Param() { id }: BlockPath): MakeContent<object> {
    return async (chain) => {
      const block = await this.find(chain, id);
      return { data: transform ? shownBlock(block, chain) : rawBlock(block) };
    };
  }

  @IndexedGet(':id/transactions', 'The transactions of a block.', CORE_ANSWERS.transactions)
  listTransactions(
    @Query() query: TransactionsQuery,
    @Param() { id }: AnyPath,
    @Pathname() pathname: string,
  ): MakeContent<object> {
    const places = placesOf(this.transactions, pageOf(query, NEWEST_TRANSACTIONS, { blockId: [id] }));
    return made({ places, key: pathname }, async (chain) => {
      const block = await this.find(chain, id);
      const page = pageOf(query, NEWEST_TRANSACTIONS, { blockId: [block.id] });
      return transactionsAnswer(this.transactions, query, pathname, chain, page, shownAlone);
    });
  }

  private async inMemory(chain: ChainView, height: number, transform: boolean): Promise<object> {
    const block = await this.blocks.findBlock(chain.head, { height });
    return { data: transform ? shownBlock(block!, chain) : rawBlockInMemory(block!) };
  }

  /** A number up to the head is a height; everything else is an id. */
  private async find({ head }: ChainView, id: string) {
    const height = Number(id);
    const isHeight = height !== 0 && height <= head.height;
    const choice = isHeight ? { height: Number.isInteger(height) && height > 0 ? height : 0 } : { id };
    const block = await this.blocks.findBlock(head, choice);
    if (!block) throw notFound('Block');
    return block;
  }
}
