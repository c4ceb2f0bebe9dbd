import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SearchQueryDto, SearchResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { SearchService } from './search.service.js';

@ApiTags('Search')
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
