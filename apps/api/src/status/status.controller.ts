import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChainStatusResponseDto } from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { StatusService } from './status.service.js';

@ApiTags('Beyond the contract')
@Controller('status.json')
export class StatusController {
  constructor(private readonly status: StatusService) {}

  @Endpoint('', {
    summary: 'Head, network, round with its slots, all delegates and the newest blocks, all at one head',
    answer: ChainStatusResponseDto,
    followsSource: true,
  })
  getStatus(): MakeContent<ChainStatusResponseDto> {
    return (chain) => this.status.getStatus(chain);
  }
}
