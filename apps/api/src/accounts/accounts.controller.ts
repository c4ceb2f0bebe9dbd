import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AccountPathDto,
  AccountResponseDto,
  AccountsQueryDto,
  AccountsResponseDto,
  AccountTransactionsQueryDto,
  TransactionsResponseDto,
} from '@roundhouse/dto';
import type { MakeContent } from '../answers/answer-request.js';
import { Endpoint } from '../answers/endpoint.decorator.js';
import { AccountsService } from './accounts.service.js';

@ApiTags('Accounts')
@Controller('api/accounts')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Endpoint('', {
    summary: 'Accounts, largest balance first',
    answer: AccountsResponseDto,
    query: AccountsQueryDto,
  })
  listAccounts(query: AccountsQueryDto): MakeContent<AccountsResponseDto> {
    return (chain) => this.accounts.listAccounts(chain, query);
  }

  @Endpoint(':account', {
    summary: 'One account by its address, its public key or the username of its delegate',
    answer: AccountResponseDto,
    query: AccountPathDto,
    finds: 'account',
  })
  getAccount({ account }: AccountPathDto): MakeContent<AccountResponseDto> {
    return (chain) => this.accounts.getAccount(chain, account);
  }

  @Endpoint(':account/transactions', {
    summary: 'Transactions that an account has sent or received, newest first',
    answer: TransactionsResponseDto,
    query: AccountTransactionsQueryDto,
    finds: 'account',
    isPaged: true,
  })
  listTransactions(query: AccountTransactionsQueryDto): MakeContent<TransactionsResponseDto> {
    return (chain) => this.accounts.listTransactions(chain, query);
  }
}
