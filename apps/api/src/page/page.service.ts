import { Injectable } from '@nestjs/common';
import {
  AccountResponseDto,
  BlockQueryDto,
  parseParameters,
  ReadyJson,
  SearchResponseDto,
  StatusDelegatesQueryDto,
  TransactionResponseDto,
  TransactionsQueryDto,
  TransactionsResponseDto,
  writeAnswer,
  type DtoClass,
} from '@roundhouse/dto';
import {
  AccountsReader,
  BlocksReader,
  DelegatesReader,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  NoHistoryError,
} from '@roundhouse/readers';
import {
  delegatesQuery,
  delegateView,
  mayBeUsername,
  parseAnswer,
  ROUNDS_PER_CHART,
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
import { findAccount } from '../accounts/accounts.controller.js';
import { findBlock } from '../blocks/blocks.controller.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { OncePerBasis } from '../chain/once-per-basis.js';
import { CursorPassedError, NotFoundError } from '../answers/errors.js';
import { SearchService } from '../search/search.service.js';
import { TransactionsService } from '../transactions/transactions.service.js';
import { StatusService } from '../status/status.service.js';

type Query = Readonly<Record<string, string>>;

/** The parameters as the documented route reads them. */
const parametersOf = <T extends object>(dto: DtoClass<T>, query: Query): T =>
  parseParameters(dto, new Map(Object.entries(query).map(([name, value]) => [name, [value]])));

/** The answer as a client of the documented route reads it. */
const shown = <Shown>(dto: DtoClass, answer: object): Shown => parseAnswer(writeAnswer(dto, answer));

/**
 * Gets what the page shows, all of one head, from the services that make the documented answers. PostgreSQL writes
 * their lists as JSON; only the lists are parsed.
 */
@Injectable()
export class PageService {
  private readonly historyIsKept = new OncePerBasis<boolean>();

  constructor(
    private readonly status: StatusService,
    private readonly blocks: BlocksReader,
    private readonly delegates: DelegatesReader,
    private readonly accounts: AccountsReader,
    private readonly pastAccounts: HistoryAccountsReader,
    private readonly pastDelegates: HistoryDelegatesReader,
    private readonly transactions: TransactionsService,
    private readonly search: SearchService,
  ) {}

  /** Throws `NotFoundError` and `InvalidRequestError` as the documented answers do. */
  async stateAt(location: PageLocation, chain: ChainView): Promise<ServedState> {
    const [status, view, hasHistory] = await Promise.all([
      this.statusAt(chain),
      this.viewAt(location, chain),
      this.keepsHistory(chain),
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
    query: Query,
  ): Promise<Pick<OverviewView, 'delegates' | 'count'>> {
    const parameters = parametersOf(StatusDelegatesQueryDto, query);
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
    return shown(SearchResponseDto, await this.search.search(chain, text));
  }

  private async transactionsOf(
    chain: ChainView,
    of: { readonly block: { readonly height: number } } | { readonly address: string },
    cursor: string,
  ): Promise<TransactionList> {
    const page = async (query: Query): Promise<TransactionList> => {
      const asked = { ...parametersOf(TransactionsQueryDto, query), ...of };
      return shown(TransactionsResponseDto, await this.transactions.listTransactions(chain, asked));
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
    const answer = { account: await findAccount(this.accounts, chain, name), success: true };
    const { account } = shown<AccountView>(AccountResponseDto, answer);
    const list = await this.transactionsOf(chain, { address: account.address }, cursor);
    return { kind: 'account', account, list };
  }

  private async transactionAt(id: string, chain: ChainView): Promise<View> {
    const answer = await this.transactions.getTransaction(chain, id);
    const { transaction } = shown<TransactionView>(TransactionResponseDto, answer);
    return { kind: 'transaction', transaction, isUndone: false };
  }

  private async blockAt(
    { id, cursor }: Extract<PageLocation, { readonly view: 'block' }>,
    chain: ChainView,
  ): Promise<View> {
    const found = await findBlock(this.blocks, chain, parametersOf(BlockQueryDto, { id }));
    const block = parseAnswer<BlockView['block']>(found.text);
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
    const { publicKey } = delegate;
    const [voters, rounds] = await Promise.all([
      // Never so many that they are streamed.
      this.delegates.findVoters(chain.head, publicKey, VOTERS_TO_READ, offset, VOTERS_TO_READ),
      this.roundsOf(chain, publicKey),
    ]);
    return delegateView(delegate, parseAnswer(ReadyJson.list(voters as string).text), offset, rounds);
  }

  /** A delegate's last rounds, newest first; none without history. */
  private async roundsOf(chain: ChainView, publicKey: string): Promise<DelegateView['rounds']> {
    if (!(await this.keepsHistory(chain))) return [];
    return (await this.pastDelegates.listRounds(chain.head, { publicKey }, ROUNDS_PER_CHART))!;
  }

  /** An index without history is no error here. */
  private async keepsHistory({ basis, head }: ChainView): Promise<boolean> {
    const ask = () => this.pastAccounts.assertHistory(head).then(() => true, falseWithoutHistory);
    return this.historyIsKept.get(basis, ask);
  }
}

const falseWithoutHistory = (error: unknown): false => {
  if (error instanceof NoHistoryError) return false;
  throw error;
};
