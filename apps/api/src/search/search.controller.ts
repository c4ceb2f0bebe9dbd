import { Controller } from '@nestjs/common';
import { SearchQueryDto, SearchResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { Tag } from '../docs/documented.decorator.js';
import { SearchService } from './search.service.js';

@Tag('Search')
@Controller('api/search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Endpoint('', {
    summary: 'Delegates, accounts, blocks and transactions that a text names',
    answer: SearchResponseDto,
    query: SearchQueryDto,
  })
  search({ q }: SearchQueryDto): MakeContent<SearchResponseDto> {
    return (chain) => this.service.search(chain, q);
  }
}
