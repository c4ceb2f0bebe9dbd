import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlockQueryDto, BlockResponseDto, BlocksQueryDto, BlocksResponseDto } from '@roundhouse/dto';
import type { Recipe } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { BlocksService } from './blocks.service.js';

@ApiTags('Blocks')
@Controller('api/blocks')
export class BlocksController {
  constructor(private readonly blocks: BlocksService) {}

  @Endpoint('', { summary: 'Blocks, newest first', answer: BlocksResponseDto, query: BlocksQueryDto })
  listBlocks(query: BlocksQueryDto): Recipe<BlocksResponseDto> {
    return (chain) => this.blocks.listBlocks(chain, query);
  }

  @Endpoint('get', {
    summary: 'One block by its id',
    answer: BlockResponseDto,
    query: BlockQueryDto,
    finds: 'block',
  })
  getBlock(query: BlockQueryDto): Recipe<BlockResponseDto> {
    return (chain) => this.blocks.getBlock(chain, query);
  }
}
