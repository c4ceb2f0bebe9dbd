import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  TransactionPathDto,
  TransactionResponseDto,
  TransactionsQueryDto,
  TransactionsResponseDto,
} from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { TransactionsService } from './transactions.service.js';

@ApiTags('Transactions')
@Controller('api/transactions')
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Endpoint('', {
    summary: 'Transactions that meet all conditions, newest first',
    answer: TransactionsResponseDto,
    query: TransactionsQueryDto,
    isPaged: true,
  })
  listTransactions(query: TransactionsQueryDto): MakeContent<TransactionsResponseDto> {
    return (chain) => this.transactions.listTransactions(chain, query);
  }

  @Endpoint(':id', {
    summary: 'One transaction by its id',
    answer: TransactionResponseDto,
    query: TransactionPathDto,
    finds: 'transaction',
  })
  getTransaction({ id }: TransactionPathDto): MakeContent<TransactionResponseDto> {
    return (chain) => this.transactions.getTransaction(chain, id);
  }
}
