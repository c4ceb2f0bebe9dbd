import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DelegateCountResponseDto,
  DelegateFeeResponseDto,
  DelegateQueryDto,
  DelegateSearchQueryDto,
  DelegateSearchResponseDto,
  DelegatesQueryDto,
  DelegatesResponseDto,
  ForgedQueryDto,
  ForgedResponseDto,
  NextForgersQueryDto,
  NextForgersResponseDto,
  VotersQueryDto,
  VotersResponseDto,
} from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { DelegatesService } from './delegates.service.js';
import { NextForgersService } from './next-forgers.service.js';

@ApiTags('Delegates')
@Controller('api/delegates')
export class DelegatesController {
  constructor(
    private readonly delegates: DelegatesService,
    private readonly nextForgers: NextForgersService,
  ) {}

  @Endpoint('', { summary: 'Delegates, by rank', answer: DelegatesResponseDto, query: DelegatesQueryDto })
  listDelegates(query: DelegatesQueryDto): MakeContent<DelegatesResponseDto> {
    return (chain) => this.delegates.listDelegates(chain, query);
  }

  @Endpoint('voters', {
    summary: 'Accounts that vote for a delegate, largest balance first',
    answer: VotersResponseDto,
    query: VotersQueryDto,
    finds: 'delegate',
  })
  getVoters(query: VotersQueryDto): MakeContent<VotersResponseDto> {
    return (chain) => this.delegates.getVoters(chain, query);
  }

  @Endpoint('get', {
    summary: 'Delegates by public key or username',
    answer: DelegatesResponseDto,
    query: DelegateQueryDto,
    finds: 'delegate',
  })
  getDelegates(query: DelegateQueryDto): MakeContent<DelegatesResponseDto> {
    return (chain) => this.delegates.getDelegates(chain, query);
  }

  @Endpoint('fee', {
    summary: 'Fee of a delegate registration, and the delegate that registered most recently',
    answer: DelegateFeeResponseDto,
    finds: 'delegate',
  })
  getFee(): MakeContent<DelegateFeeResponseDto> {
    return (chain) => this.delegates.getFee(chain);
  }

  @Endpoint('count', { summary: 'Number of delegates', answer: DelegateCountResponseDto })
  countDelegates(): MakeContent<DelegateCountResponseDto> {
    return ({ head }) => ({ count: head.delegateCount, success: true });
  }

  @Endpoint('forging/getForgedByAccount', {
    summary: 'What a delegate has forged',
    answer: ForgedResponseDto,
    query: ForgedQueryDto,
    finds: 'delegate',
  })
  getForged(query: ForgedQueryDto): MakeContent<ForgedResponseDto> {
    return (chain) => this.delegates.getForged(chain, query);
  }

  @Endpoint('search', {
    summary: 'Delegates whose username contains a text',
    answer: DelegateSearchResponseDto,
    query: DelegateSearchQueryDto,
  })
  searchDelegates(query: DelegateSearchQueryDto): MakeContent<DelegateSearchResponseDto> {
    return (chain) => this.delegates.searchDelegates(chain, query);
  }

  @Endpoint('getNextForgers', {
    summary: 'Forgers of the next slots',
    answer: NextForgersResponseDto,
    query: NextForgersQueryDto,
  })
  getNextForgers(query: NextForgersQueryDto): MakeContent<NextForgersResponseDto> {
    return (chain) => this.nextForgers.getNextForgers(chain, query);
  }
}
