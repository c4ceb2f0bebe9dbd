import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlockQueryDto, BlockResponseDto, BlocksQueryDto, BlocksResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { BlocksService } from './blocks.service.js';

@ApiTags('Blocks')
@Controller('api/blocks')
export class BlocksController {
  constructor(private readonly blocks: BlocksService) {}

  @Endpoint('', { summary: 'Blocks, newest first', answer: BlocksResponseDto, query: BlocksQueryDto })
  listBlocks(query: BlocksQueryDto): MakeContent<BlocksResponseDto> {
    return (chain) => this.blocks.listBlocks(chain, query);
  }

  @Endpoint('get', {
    summary: 'One block by its id',
    answer: BlockResponseDto,
    query: BlockQueryDto,
    finds: 'block',
  })
  getBlock(query: BlockQueryDto): MakeContent<BlockResponseDto> {
    return (chain) => this.blocks.getBlock(chain, query);
  }
}
