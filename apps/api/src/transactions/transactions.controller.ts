import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  TransactionPathDto,
  TransactionResponseDto,
  TransactionsQueryDto,
  TransactionsResponseDto,
} from '@roundhouse/dto';
import { Answers } from '../answers/answers.decorator.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { TransactionsService } from './transactions.service.js';

@ApiTags('Transactions')
@Controller('api/transactions')
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Get()
  @Answers(TransactionsResponseDto, {
    summary: 'Transactions that meet all conditions, newest first',
    isPaged: true,
  })
  listTransactions(@Query() query: TransactionsQueryDto) {
    return (chain: ChainView) => this.transactions.listTransactions(chain, query);
  }

  @Get(':id')
  @Answers(TransactionResponseDto, { summary: 'One transaction by its id', finds: 'transaction' })
  getTransaction(@Param() { id }: TransactionPathDto) {
    return (chain: ChainView) => this.transactions.getTransaction(chain, id);
  }
}
