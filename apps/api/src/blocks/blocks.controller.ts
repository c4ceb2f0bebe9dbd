import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BlockPathDto,
  BlockQueryDto,
  BlockResponseDto,
  BlocksQueryDto,
  BlocksResponseDto,
  InvalidRequestError,
  parseBlockChoice,
  ReadyJson,
  TransactionFiltersQueryDto,
  TransactionsResponseDto,
  type BlockChoice,
} from '@roundhouse/dto';
import { BlocksReader } from '@roundhouse/readers';
import { Answers } from '../answers/answers.decorator.js';
import { NotFoundError } from '../answers/errors.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { TransactionsService } from '../transactions/transactions.service.js';

const NO_BLOCK = 'There is no block with this id or height.';

/** Throws the contract's answer to a path that could not name a block. */
const choiceOf = (text: string): BlockChoice => {
  const choice = parseBlockChoice(text);
  if (!choice) throw new NotFoundError('There is nothing at this path.');
  return choice;
};

/** Throws `InvalidRequestError` if no block of this chain can have the id. */
const findBlock = async (
  reader: BlocksReader,
  { head, milestones }: ChainView,
  { id }: BlockQueryDto,
): Promise<ReadyJson> => {
  if (id.length > 20 && !milestones.hasFullSha256Ids) {
    throw new InvalidRequestError('The block ids of this chain have 1 to 20 digits.');
  }
  const block = await reader.findBlock(head, { id });
  if (block === '') throw new NotFoundError('There is no block with this id.');
  return new ReadyJson(block);
};

@ApiTags('Blocks')
@Controller('api/blocks')
export class BlocksController {
  constructor(
    private readonly blocks: BlocksReader,
    private readonly transactions: TransactionsService,
  ) {}

  /** Every height has a block, so a page is a range of heights: a large offset costs nothing. */
  @Get()
  @Answers(BlocksResponseDto, { summary: 'Blocks, newest first' })
  listBlocks(@Query() { offset, limit }: BlocksQueryDto) {
    return async ({ head }: ChainView) => {
      const highest = head.height - offset;
      const lowest = Math.max(1, highest - limit + 1);
      const blocks = highest < 1 ? '' : await this.blocks.listBlocks(head, lowest, highest);
      return { blocks: ReadyJson.list(blocks), success: true };
    };
  }

  @Get('get')
  @Answers(BlockResponseDto, { summary: 'One block by its id', finds: 'block' })
  getBlock(@Query() query: BlockQueryDto) {
    return async (chain: ChainView) => ({ block: await findBlock(this.blocks, chain, query), success: true });
  }

  @Get(':block')
  @Answers(BlockResponseDto, { summary: 'One block by its id or height', finds: 'block' })
  getChosenBlock(@Param() path: BlockPathDto) {
    return async ({ head }: ChainView) => {
      const block = await this.blocks.findBlock(head, choiceOf(path.block));
      if (block === '') throw new NotFoundError(NO_BLOCK);
      return { block: new ReadyJson(block), success: true };
    };
  }

  @Get(':block/transactions')
  @Answers(TransactionsResponseDto, {
    summary: 'Transactions of a block, the last one first',
    finds: 'block',
    isPaged: true,
  })
  listTransactions(@Param() path: BlockPathDto, @Query() query: TransactionFiltersQueryDto) {
    return async (chain: ChainView) => {
      const height = await this.blocks.findHeight(chain.head, choiceOf(path.block));
      if (height === null) throw new NotFoundError(NO_BLOCK);
      return this.transactions.listTransactions(chain, { ...query, block: { height } });
    };
  }
}
