import { Injectable } from '@nestjs/common';
import {
  InvalidRequestError,
  ReadyJson,
  type BlockQueryDto,
  type BlockResponseDto,
  type BlocksQueryDto,
  type BlocksResponseDto,
} from '@roundhouse/dto';
import { BlocksReader } from '@roundhouse/storage';
import type { ChainView } from '../chain/chain-view.js';
import { NotFoundError } from '../answers/not-found.error.js';

@Injectable()
export class BlocksService {
  constructor(private readonly blocks: BlocksReader) {}

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
}
