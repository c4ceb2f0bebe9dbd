import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DailyStatisticsQueryDto, DailyStatisticsResponseDto } from '@roundhouse/dto';
import { Answers } from '../answers/answers.decorator.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { StatisticsService } from './statistics.service.js';

@ApiTags('Statistics')
@Controller('api/statistics')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  @Get('daily')
  @Answers(DailyStatisticsResponseDto, {
    summary: 'What the blocks of each day did, newest day first',
    finds: 'block',
    isPaged: true,
  })
  listDays(@Query() query: DailyStatisticsQueryDto) {
    return (chain: ChainView) => this.statistics.listDays(chain, query);
  }
}
