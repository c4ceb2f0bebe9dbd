import { Injectable } from '@nestjs/common';
import { addressOf } from '@roundhouse/chain';
import {
  isAddress,
  isPublicKey,
  writeAccountCursor,
  type AccountResponseDto,
  type AccountsQueryDto,
  type AccountsResponseDto,
  type AccountTransactionsQueryDto,
  type TransactionsResponseDto,
} from '@roundhouse/dto';
import { AccountsReader, type AccountRecord, type PlaceByBalance } from '@roundhouse/readers';
import { NotFoundError } from '../answers/not-found.error.js';
import type { ChainView } from '../chain/chain-view.js';
import { TransactionsService } from '../transactions/transactions.service.js';
import { accountContent } from './account-content.js';

/** Above all accounts. */
const TOP: PlaceByBalance = { balance: 2n ** 63n - 1n, number: 0 };

@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsReader,
    private readonly transactions: TransactionsService,
  ) {}

  /** Pages of different heads may repeat or omit an account whose balance changed meanwhile. */
  async listAccounts({ head }: ChainView, { cursor, limit }: AccountsQueryDto): Promise<AccountsResponseDto> {
    const below = cursor ? { ...cursor, balance: BigInt(cursor.balance) } : TOP;
    const found = await this.accounts.listAccounts(head, below, limit + 1);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const isLast = found.length <= limit || last === undefined;
    return {
      accounts: shown.map(accountContent),
      nextCursor: isLast ? null : writeAccountCursor({ ...last, balance: String(last.balance) }),
      success: true,
    };
  }

  async getAccount(chain: ChainView, account: string): Promise<AccountResponseDto> {
    return { account: accountContent(await this.find(chain, account)), success: true };
  }

  async listTransactions(
    chain: ChainView,
    { account, ...query }: AccountTransactionsQueryDto,
  ): Promise<TransactionsResponseDto> {
    const { address } = await this.find(chain, account);
    return this.transactions.listTransactions(chain, { ...query, address });
  }

  /** @param account an address, a public key or a username */
  private async find({ head, network }: ChainView, account: string): Promise<AccountRecord> {
    const found = await this.accounts.findAccount(
      head,
      isPublicKey(account)
        ? { address: addressOf(account, network.pubKeyHash) }
        : isAddress(account)
          ? { address: account }
          : { username: account },
    );
    if (!found) throw new NotFoundError('There is no account with this address, public key or username.');
    return found;
  }
}
