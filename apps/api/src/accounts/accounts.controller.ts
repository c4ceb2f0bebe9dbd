import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AccountPathDto,
  AccountResponseDto,
  AccountsQueryDto,
  AccountsResponseDto,
  isAddress,
  PastAccountPathDto,
  ProofQueryDto,
  ProofResponseDto,
  StatementQueryDto,
  StatementResponseDto,
  TransactionFiltersQueryDto,
  TransactionsResponseDto,
  writeAccountCursor,
} from '@roundhouse/dto';
import { AccountsReader, type PlaceByBalance } from '@roundhouse/readers';
import { made } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';
import { NotFoundError } from '../answers/errors.js';
import { CSV_MEDIA_TYPE } from '../answers/headers.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { ProofsService } from './proofs.service.js';
import { STATEMENT_AS_CSV, StatementsService } from './statements.service.js';
import { TransactionsService } from '../transactions/transactions.service.js';

/** Above all accounts. */
const TOP: PlaceByBalance = { balance: 2n ** 63n - 1n, number: 0 };

/** @param account an address, a public key or a username */
const findAccount = async (reader: AccountsReader, chain: ChainView, account: string) => {
  const address = chain.addressNamed(account);
  const by = isAddress(address) ? { address } : { username: account };
  const found = await reader.findAccount(chain.head, by);
  if (!found) throw new NotFoundError('There is no account with this address, public key or username.');
  return found;
};

@ApiTags('Accounts')
@Controller('api/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsReader,
    private readonly transactions: TransactionsService,
    private readonly statements: StatementsService,
    private readonly proofs: ProofsService,
  ) {}

  /** Pages of different heads may repeat or omit an account whose balance changed meanwhile. */
  @Get()
  @Answers(AccountsResponseDto, { summary: 'Accounts, largest balance first', needsListIndexes: true })
  listAccounts(@Query() { cursor, limit }: AccountsQueryDto) {
    const below = cursor ? { ...cursor, balance: BigInt(cursor.balance) } : TOP;
    return async (chain: ChainView) => {
      const { accounts, next } = await this.accounts.listAccounts(chain.head, below, limit);
      const nextCursor = next && writeAccountCursor({ ...next, balance: String(next.balance) });
      return { accounts, nextCursor, success: true };
    };
  }

  @Get(':account')
  @Answers(AccountResponseDto, {
    summary: 'One account by its address, its public key or the username of its delegate',
    finds: 'account',
  })
  getAccount(@Param() { account }: AccountPathDto) {
    return async (chain: ChainView) => ({
      account: await findAccount(this.accounts, chain, account),
      success: true,
    });
  }

  @Get(':account/transactions')
  @Answers(TransactionsResponseDto, {
    summary: 'Transactions that an account has sent or received, newest first',
    finds: 'account',
    isPaged: true,
  })
  listTransactions(@Param() { account }: AccountPathDto, @Query() query: TransactionFiltersQueryDto) {
    return async (chain: ChainView) => {
      const { address } = await findAccount(this.accounts, chain, account);
      return this.transactions.listTransactions(chain, { ...query, address });
    };
  }

  /** Both ends are the same as the balances that history has there. */
  @Get(':account/statement')
  @Answers(StatementResponseDto, {
    summary: 'Each change of the balance of an account in a period, with the balances at its ends',
    finds: 'account',
    isRenewed: false,
    otherMediaTypes: [CSV_MEDIA_TYPE],
  })
  getStatement(@Param() { account }: AccountPathDto, @Query() query: StatementQueryDto) {
    const how = { places: 'streams', ...(query.format === 'csv' && { writing: STATEMENT_AS_CSV }) } as const;
    return made(how, async (chain: ChainView) => {
      const { address } = await findAccount(this.accounts, chain, account);
      return this.statements.getStatement(chain, address, query);
    });
  }

  @Get(':address/proof')
  @Answers(ProofResponseDto, {
    summary: 'One account at the height of a certificate, and what proves it',
    finds: 'certificate of this height, or no such account in it',
  })
  getProof(@Param() { address }: PastAccountPathDto, @Query() { height }: ProofQueryDto) {
    return (chain: ChainView) => this.proofs.getProof(chain, chain.addressNamed(address), height);
  }
}
