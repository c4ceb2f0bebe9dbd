import { Injectable } from '@nestjs/common';
import {
  InvalidRequestError,
  parseBlockChoice,
  ReadyJson,
  type BlockChoice,
  type BlockQueryDto,
  type BlockResponseDto,
  type BlocksQueryDto,
  type BlocksResponseDto,
  type BlockTransactionsQueryDto,
  type TransactionsResponseDto,
} from '@roundhouse/dto';
import { BlocksReader } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-view.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { TransactionsService } from '../transactions/transactions.service.js';

const NO_BLOCK = 'There is no block with this id or height.';

/** The contract's answer to a path that could not name a block. */
const NOTHING_HERE = 'There is nothing at this path.';

@Injectable()
export class BlocksService {
  constructor(
    private readonly blocks: BlocksReader,
    private readonly transactions: TransactionsService,
  ) {}

  /** Every height has a block, so a page is a range of heights: a large offset costs nothing. */
  async listBlocks({ head }: ChainView, { offset, limit }: BlocksQueryDto): Promise<BlocksResponseDto> {
    const highest = head.height - offset;
    if (highest < 1) return { blocks: ReadyJson.list(''), success: true };
    const blocks = await this.blocks.listBlocks(head, Math.max(1, highest - limit + 1), highest);
    return { blocks: ReadyJson.list(blocks), success: true };
  }

  async getBlock({ head, milestones }: ChainView, { id }: BlockQueryDto): Promise<BlockResponseDto> {
    if (id.length > 20 && !milestones.hasFullSha256Ids) {
      throw new InvalidRequestError('The block ids of this chain have 1 to 20 digits.');
    }
    const block = await this.blocks.findBlock(head, id);
    if (block === '') throw new NotFoundError('There is no block with this id.');
    return { block: new ReadyJson(block), success: true };
  }

  /** @param text an id or a height */
  async getChosenBlock({ head }: ChainView, text: string): Promise<BlockResponseDto> {
    const block = await this.blocks.findChosen(head, choiceOf(text));
    if (block === '') throw new NotFoundError(NO_BLOCK);
    return { block: new ReadyJson(block), success: true };
  }

  async listTransactions(
    chain: ChainView,
    { block, ...query }: BlockTransactionsQueryDto,
  ): Promise<TransactionsResponseDto> {
    const { head } = chain;
    const choice = choiceOf(block);
    const height = 'height' in choice ? choice.height : await this.blocks.findHeight(head, choice.id);
    if (height === null || height < 1 || height > head.height) throw new NotFoundError(NO_BLOCK);
    return this.transactions.listTransactions(chain, { ...query, block: { height } });
  }
}

const choiceOf = (text: string): BlockChoice => {
  const choice = parseBlockChoice(text);
  if (!choice) throw new NotFoundError(NOTHING_HERE);
  return choice;
};
