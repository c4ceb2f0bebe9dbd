import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChainStatusResponseDto, StatusDelegatesQueryDto, StatusDelegatesResponseDto } from '@roundhouse/dto';
import { Answers } from '../answers/answers.decorator.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { StatusService } from './status.service.js';

@ApiTags('Beyond the contract')
@Controller()
export class StatusController {
  constructor(private readonly status: StatusService) {}

  @Get('status.json')
  @Answers(ChainStatusResponseDto, {
    summary: 'Head, network, round with its slots, active delegates and the newest blocks, all at one head',
    followsSource: true,
  })
  getStatus() {
    return (chain: ChainView) => this.status.getStatus(chain);
  }

  @Get('delegates.json')
  @Answers(StatusDelegatesResponseDto, {
    summary: 'Delegates with all their figures, searched, sorted and in pages',
  })
  listDelegates(@Query() query: StatusDelegatesQueryDto) {
    return (chain: ChainView) => this.status.listDelegates(chain, query);
  }
}
