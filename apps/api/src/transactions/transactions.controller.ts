import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  TransactionPathDto,
  TransactionResponseDto,
  TransactionsQueryDto,
  TransactionsResponseDto,
} from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';
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
  listTransactions(@Query() query: TransactionsQueryDto): MakeContent<TransactionsResponseDto> {
    return (chain) => this.transactions.listTransactions(chain, query);
  }

  @Get(':id')
  @Answers(TransactionResponseDto, { summary: 'One transaction by its id', finds: 'transaction' })
  getTransaction(@Param() { id }: TransactionPathDto): MakeContent<TransactionResponseDto> {
    return (chain) => this.transactions.getTransaction(chain, id);
  }
}
