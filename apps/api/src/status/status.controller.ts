import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChainStatusResponseDto, StatusDelegatesQueryDto, StatusDelegatesResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { StatusService } from './status.service.js';

@ApiTags('Beyond the contract')
@Controller()
export class StatusController {
  constructor(private readonly status: StatusService) {}

  @Endpoint('status.json', {
    summary: 'Head, network, round with its slots, active delegates and the newest blocks, all at one head',
    answer: ChainStatusResponseDto,
    followsSource: true,
  })
  getStatus(): MakeContent<ChainStatusResponseDto> {
    return (chain) => this.status.getStatus(chain);
  }

  @Endpoint('delegates.json', {
    summary: 'Delegates with all their figures, searched, sorted and in pages',
    answer: StatusDelegatesResponseDto,
    query: StatusDelegatesQueryDto,
  })
  listDelegates(query: StatusDelegatesQueryDto): MakeContent<StatusDelegatesResponseDto> {
    return (chain) => this.status.listDelegates(chain, query);
  }
}
