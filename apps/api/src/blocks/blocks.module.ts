import { Module } from '@nestjs/common';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { BlocksController } from './blocks.controller.js';
import { BlocksService } from './blocks.service.js';
import { ChainConstantsController } from './chain-constants.controller.js';

@Module({
  imports: [TransactionsModule],
  controllers: [BlocksController, ChainConstantsController],
  providers: [BlocksService],
  exports: [BlocksService],
})
export class BlocksModule {}
