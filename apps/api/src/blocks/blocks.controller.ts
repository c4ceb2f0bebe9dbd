import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BlockPathDto,
  BlockQueryDto,
  BlockResponseDto,
  BlocksQueryDto,
  BlocksResponseDto,
  BlockTransactionsQueryDto,
  TransactionsResponseDto,
} from '@roundhouse/dto';
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

  @Endpoint(':block', {
    summary: 'One block by its id or height',
    answer: BlockResponseDto,
    query: BlockPathDto,
    finds: 'block',
  })
  getChosenBlock({ block }: BlockPathDto): MakeContent<BlockResponseDto> {
    return (chain) => this.blocks.getChosenBlock(chain, block);
  }

  @Endpoint(':block/transactions', {
    summary: 'Transactions of a block, the last one first',
    answer: TransactionsResponseDto,
    query: BlockTransactionsQueryDto,
    finds: 'block',
    isPaged: true,
  })
  listTransactions(query: BlockTransactionsQueryDto): MakeContent<TransactionsResponseDto> {
    return (chain) => this.blocks.listTransactions(chain, query);
  }
}
