import { Injectable } from '@nestjs/common';
import {
  AccountResponseDto,
  BlockQueryDto,
  parseQuery,
  SearchResponseDto,
  StatusDelegatesQueryDto,
  TransactionResponseDto,
  TransactionsQueryDto,
  TransactionsResponseDto,
  writeAnswer,
} from '@roundhouse/dto';
import {
  delegatesQuery,
  delegateView,
  mayBeUsername,
  parseAnswer,
  transactionsQuery,
  VOTERS_TO_READ,
  type AccountView,
  type BlockView,
  type DelegateView,
  type OverviewView,
  type PageLocation,
  type ServedState,
  type TransactionList,
  type TransactionView,
  type View,
} from '@roundhouse/web';
import { AccountsService } from '../accounts/accounts.service.js';
import { CursorPassedError } from '../answers/cursor-passed.error.js';
import { BlocksService } from '../blocks/blocks.service.js';
import type { ChainView } from '../chain/chain-view.js';
import { DelegatesService } from '../delegates/delegates.service.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { SearchService } from '../search/search.service.js';
import { TransactionsService } from '../transactions/transactions.service.js';
import { StatusService } from '../status/status.service.js';
import { PageHistory } from './page-history.service.js';

/** Returns the parameters in the form of a parsed request: each name with a list of values. */
const rawQuery = (query: Readonly<Record<string, string>>) =>
  new Map(Object.entries(query).map(([name, value]) => [name, [value]]));

/**
 * Gets what the page shows, all of one head, from the services that make the documented answers. PostgreSQL writes
 * their lists as JSON; only the lists are parsed.
 */
@Injectable()
export class PageService {
  constructor(
    private readonly status: StatusService,
    private readonly blocks: BlocksService,
    private readonly delegates: DelegatesService,
    private readonly accounts: AccountsService,
    private readonly transactions: TransactionsService,
    private readonly search: SearchService,
    private readonly history: PageHistory,
  ) {}

  /** Throws `NotFoundError` and `InvalidRequestError` as the documented answers do. */
  async stateAt(location: PageLocation, chain: ChainView): Promise<ServedState> {
    const [status, view, hasHistory] = await Promise.all([
      this.statusAt(chain),
      this.viewAt(location, chain),
      this.history.isKept(chain),
    ]);
    // A page that is kept for many readers cannot say how long ago something happened.
    return { status, view, now: null, hasHistory };
  }

  private async statusAt(chain: ChainView): Promise<ServedState['status']> {
    const { delegates, blocks, ...fields } = await this.status.getStatus(chain);
    return { ...fields, delegates: parseAnswer(delegates.text), blocks: parseAnswer(blocks.text) };
  }

  private async delegatesAt(
    chain: ChainView,
    query: Readonly<Record<string, string>>,
  ): Promise<Pick<OverviewView, 'delegates' | 'count'>> {
    const parameters = parseQuery(StatusDelegatesQueryDto, rawQuery(query));
    const { delegates, count } = await this.status.listDelegates(chain, parameters);
    return { delegates: parseAnswer(delegates.text), count };
  }

  private async viewAt(location: PageLocation, chain: ChainView): Promise<View> {
    switch (location.view) {
      case 'overview': {
        const { list } = location;
        const [delegates, found] = await Promise.all([
          mayBeUsername(list.search)
            ? this.delegatesAt(chain, delegatesQuery(list))
            : { delegates: [], count: 0 },
          this.foundAt(chain, list.search),
        ]);
        return { kind: 'overview', list, ...delegates, found };
      }
      case 'block':
        return this.blockAt(location, chain);
      case 'account':
        return this.accountAt(location, chain);
      case 'transaction':
        return this.transactionAt(location.id, chain);
      case 'delegate':
        return this.delegateAt(location, chain);
    }
  }

  private async foundAt(chain: ChainView, text: string): Promise<OverviewView['found']> {
    if (text === '') return null;
    return parseAnswer(writeAnswer(SearchResponseDto, await this.search.search(chain, text)));
  }

  private async transactionsOf(
    chain: ChainView,
    of: { readonly block: { readonly height: number } } | { readonly address: string },
    cursor: string,
  ): Promise<TransactionList> {
    const page = async (query: Readonly<Record<string, string>>): Promise<TransactionList> => {
      const parameters = parseQuery(TransactionsQueryDto, rawQuery(query));
      const answer = await this.transactions.listTransactions(chain, { ...parameters, ...of });
      return parseAnswer(writeAnswer(TransactionsResponseDto, answer));
    };
    return page(transactionsQuery(cursor)).catch((error: unknown) => {
      // A fork has undone where the page before ended: show the first page.
      if (error instanceof CursorPassedError) return page(transactionsQuery(''));
      throw error;
    });
  }

  private async accountAt(
    { name, cursor }: Extract<PageLocation, { readonly view: 'account' }>,
    chain: ChainView,
  ): Promise<View> {
    const answer = await this.accounts.getAccount(chain, name);
    const { account } = parseAnswer<Pick<AccountView, 'account'>>(writeAnswer(AccountResponseDto, answer));
    const list = await this.transactionsOf(chain, { address: account.address }, cursor);
    return { kind: 'account', account, list };
  }

  private async transactionAt(id: string, chain: ChainView): Promise<View> {
    const answer = writeAnswer(TransactionResponseDto, await this.transactions.getTransaction(chain, id));
    const { transaction } = parseAnswer<Pick<TransactionView, 'transaction'>>(answer);
    return { kind: 'transaction', transaction, isUndone: false };
  }

  private async blockAt(
    { id, cursor }: Extract<PageLocation, { readonly view: 'block' }>,
    chain: ChainView,
  ): Promise<View> {
    const answer = await this.blocks.getBlock(chain, parseQuery(BlockQueryDto, rawQuery({ id })));
    const block = parseAnswer<BlockView['block']>(answer.block.text);
    const [{ delegates }, list] = await Promise.all([
      this.delegatesAt(chain, { publicKey: block.generatorPublicKey }),
      this.transactionsOf(chain, { block: { height: block.height } }, cursor),
    ]);
    return { kind: 'block', block, forger: delegates[0]?.username ?? null, isUndone: false, list };
  }

  private async delegateAt(
    { username, offset }: Extract<PageLocation, { readonly view: 'delegate' }>,
    chain: ChainView,
  ): Promise<View> {
    const [delegate] = (await this.delegatesAt(chain, { username })).delegates;
    if (!delegate) throw new NotFoundError('There is no delegate of this name.');
    const query = { publicKey: delegate.publicKey, limit: VOTERS_TO_READ, offset };
    const [{ accounts }, rounds] = await Promise.all([
      this.delegates.getPageOfVoters(chain, query),
      this.history.listRounds(chain, delegate.publicKey),
    ]);
    return delegateView(delegate, parseAnswer<DelegateView['voters']>(accounts.text), offset, rounds);
  }
}
