import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AccountChangesQueryDto,
  AccountChangesResponseDto,
  DelegateRoundsQueryDto,
  DelegateRoundsResponseDto,
  HeightQueryDto,
  PastAccountQueryDto,
  PastAccountResponseDto,
  PastDelegatesResponseDto,
  PastSupplyResponseDto,
  PastVotersQueryDto,
  PastVotersResponseDto,
  PayoutsQueryDto,
  PayoutsResponseDto,
} from '@roundhouse/dto';
import { asJson, inPlaces, type MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { HistoryService } from './history.service.js';
import { AS_CSV, CSV_MEDIA_TYPE } from './payouts-csv.js';
import { PayoutsService } from './payouts.service.js';

const AS_JSON = asJson(PayoutsResponseDto);

@ApiTags('History')
@Controller('api/history')
export class HistoryController {
  constructor(
    private readonly history: HistoryService,
    private readonly payouts: PayoutsService,
  ) {}

  @Endpoint('supply', {
    summary: 'The supply at a height',
    answer: PastSupplyResponseDto,
    query: HeightQueryDto,
    finds: 'height',
    needsHistory: true,
  })
  getSupply({ height }: HeightQueryDto): MakeContent<PastSupplyResponseDto> {
    return (chain) => this.history.getSupply(chain, height);
  }

  @Endpoint('accounts/:address', {
    summary: 'One account at a height',
    answer: PastAccountResponseDto,
    query: PastAccountQueryDto,
    finds: 'account at this height',
    needsHistory: true,
  })
  getAccount(query: PastAccountQueryDto): MakeContent<PastAccountResponseDto> {
    return (chain) => this.history.getAccount(chain, query);
  }

  @Endpoint('accounts/:address/changes', {
    summary: "Changes of an account's balance, locked amount and vote, newest first",
    answer: AccountChangesResponseDto,
    query: AccountChangesQueryDto,
    finds: 'account',
    isPaged: true,
    needsHistory: true,
  })
  listChanges(query: AccountChangesQueryDto): MakeContent<AccountChangesResponseDto> {
    return (chain) => this.history.listChanges(chain, query);
  }

  @Endpoint('delegates', {
    summary: 'All delegates at a height, by rank',
    answer: PastDelegatesResponseDto,
    query: HeightQueryDto,
    finds: 'height',
    needsHistory: true,
  })
  listDelegates({ height }: HeightQueryDto): MakeContent<PastDelegatesResponseDto> {
    return (chain) => this.history.listDelegates(chain, height);
  }

  @Endpoint('delegates/:delegate/voters', {
    summary: 'Accounts that voted for a delegate at a height, largest balance first',
    answer: PastVotersResponseDto,
    query: PastVotersQueryDto,
    finds: 'delegate at this height',
    needsHistory: true,
  })
  listVoters(query: PastVotersQueryDto): MakeContent<PastVotersResponseDto> {
    return (chain) => this.history.listVoters(chain, query);
  }

  @Endpoint('delegates/:delegate/rounds', {
    summary:
      "A delegate's weight and rank at the ends of the last rounds, newest first, and which list of forgers followed",
    answer: DelegateRoundsResponseDto,
    query: DelegateRoundsQueryDto,
    finds: 'delegate',
    needsHistory: true,
  })
  listRounds(query: DelegateRoundsQueryDto): MakeContent<DelegateRoundsResponseDto> {
    return (chain) => this.history.listRounds(chain, query);
  }

  @Endpoint('delegates/:delegate/payouts', {
    summary:
      'What each voter gets of the blocks that a delegate forged in a range, by the weights before each block; exact',
    answer: PayoutsResponseDto,
    query: PayoutsQueryDto,
    finds: 'delegate at these heights',
    needsHistory: true,
    isRenewed: false,
    otherMediaTypes: [CSV_MEDIA_TYPE],
    writingFor: ({ format }: PayoutsQueryDto) => (format === 'csv' ? AS_CSV : AS_JSON),
  })
  getPayouts(query: PayoutsQueryDto): MakeContent<PayoutsResponseDto> {
    return inPlaces('payouts', (chain) => this.payouts.getPayouts(chain, query));
  }
}
