import { Module } from '@nestjs/common';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';
import { PayoutsService } from './payouts.service.js';

@Module({
  controllers: [HistoryController],
  providers: [HistoryService, PayoutsService],
  exports: [HistoryService],
})
export class HistoryModule {}
