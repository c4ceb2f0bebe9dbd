import { Injectable } from '@nestjs/common';
import { addressOf } from '@roundhouse/chain';
import { isPublicKey, parseBlockChoice, ReadyJson, type SearchResponseDto } from '@roundhouse/dto';
import {
  AccountsReader,
  BlocksReader,
  DelegatesReader,
  TransactionsReader,
  type AccountRecord,
  type TransactionRecord,
} from '@roundhouse/readers';
import { accountContent } from '../accounts/account-content.js';
import type { ChainView } from '../chain/chain-view.js';
import { transactionContents } from '../transactions/transaction-content.js';

const MOST_FOUND = 10;

const LONGEST_USERNAME = 20;

/** Fewer characters say little: all addresses of a network begin with the same one. */
const BEGINNING_OF_ADDRESS = /^[0-9A-Za-z]{4,36}$/;

@Injectable()
export class SearchService {
  constructor(
    private readonly delegates: DelegatesReader,
    private readonly accounts: AccountsReader,
    private readonly blocks: BlocksReader,
    private readonly transactions: TransactionsReader,
  ) {}

  async search(chain: ChainView, text: string): Promise<SearchResponseDto> {
    const [delegates, accounts, blocks, transactions] = await Promise.all([
      this.findDelegates(chain, text),
      this.findAccounts(chain, text),
      this.findBlock(chain, text),
      this.findTransactions(chain, text),
    ]);
    return {
      delegates: ReadyJson.list(delegates),
      accounts: accounts.map(accountContent),
      blocks: ReadyJson.list(blocks),
      transactions: transactionContents(chain, transactions),
      success: true,
    };
  }

  private async findDelegates({ head }: ChainView, text: string): Promise<string> {
    if ([...text].length > LONGEST_USERNAME) return '';
    return this.delegates.searchDelegates(head, text, MOST_FOUND, 0);
  }

  private async findAccounts({ head, network }: ChainView, text: string): Promise<AccountRecord[]> {
    const beginning = isPublicKey(text) ? addressOf(text, network.pubKeyHash) : text;
    if (!BEGINNING_OF_ADDRESS.test(beginning)) return [];
    return this.accounts.searchAccounts(head, beginning, MOST_FOUND);
  }

  private async findBlock({ head }: ChainView, text: string): Promise<string> {
    const choice = parseBlockChoice(text);
    return choice ? this.blocks.findChosen(head, choice) : '';
  }

  private async findTransactions({ head }: ChainView, text: string): Promise<TransactionRecord[]> {
    if (!/^[0-9a-f]{64}$/i.test(text)) return [];
    const found = await this.transactions.findTransaction(head, text.toLowerCase());
    return found ? [found] : [];
  }
}
