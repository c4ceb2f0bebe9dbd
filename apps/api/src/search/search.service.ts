import { Injectable } from '@nestjs/common';
import { parseBlockChoice, ReadyJson, type SearchResponseDto } from '@roundhouse/dto';
import { AccountsReader, BlocksReader, DelegatesReader } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { TransactionsService } from '../transactions/transactions.service.js';

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
    private readonly transactions: TransactionsService,
  ) {}

  async search(chain: ChainView, text: string): Promise<SearchResponseDto> {
    const { head } = chain;
    const address = chain.addressNamed(text);
    const choice = parseBlockChoice(text);
    const [delegates, accounts, blocks, transactions] = await Promise.all([
      [...text].length > LONGEST_USERNAME ? '' : this.delegates.searchDelegates(head, text, MOST_FOUND, 0),
      BEGINNING_OF_ADDRESS.test(address) ? this.accounts.searchAccounts(head, address, MOST_FOUND) : [],
      choice ? this.blocks.findBlock(head, choice) : '',
      this.transactions.listNamed(chain, text),
    ]);
    return {
      delegates: ReadyJson.list(delegates),
      accounts,
      blocks: ReadyJson.list(blocks),
      transactions,
      success: true,
    };
  }
}
