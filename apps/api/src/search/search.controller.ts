import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SearchQueryDto, SearchResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';
import { SearchService } from './search.service.js';

@ApiTags('Search')
@Controller('api/search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  @Answers(SearchResponseDto, { summary: 'Delegates, accounts, blocks and transactions that a text names' })
  search(@Query() { q }: SearchQueryDto): MakeContent<SearchResponseDto> {
    return (chain) => this.service.search(chain, q);
  }
}
