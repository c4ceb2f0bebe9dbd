import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SearchQueryDto, SearchResponseDto } from '@roundhouse/dto';
import { Answers } from '../answers/answers.decorator.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { SearchService } from './search.service.js';

@ApiTags('Search')
@Controller('api/search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  @Answers(SearchResponseDto, { summary: 'Delegates, accounts, blocks and transactions that a text names' })
  search(@Query() { q }: SearchQueryDto) {
    return (chain: ChainView) => this.service.search(chain, q);
  }
}
