import { Param, Query } from '@nestjs/common';
import {
  CORE_ANSWERS,
  coreMemoryList,
  corePath,
  ID,
  many,
  notFound,
  one,
  WALLET,
} from '@roundhouse/dto/core-v2';
import {
  CoreLocksReader,
  CoreTransactionsReader,
  CoreWalletsReader,
  type CoreListPage,
  type WalletIdentity,
} from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { NEWEST_TRANSACTIONS, transactionsAnswer, TransactionsQuery } from './blocks.controller.js';
import { CoreGet, CoreV2Controller, IndexedGet, Pathname } from './core-v2.decorators.js';
import { listAnswer, memoryAnswer, NO_ROWS, pageOf, placesOf } from './list-answer.js';
import { LocksQuery, NEWEST_LOCKS } from './locks.controller.js';
import { shownLock, shownWallet } from './memory-resources.js';
import { shownTransaction } from './resources.js';
import { VOTES } from './votes.controller.js';
import { WalletFinder } from './wallet-finder.js';

export class WalletsQuery extends coreMemoryList(WALLET, 'attributes') {}
export class WalletPath extends corePath('id', ID.wallet) {}
class OwnerPath extends corePath('id', ID.walletOfList) {}

export const BY_BALANCE = [{ property: 'balance', direction: 'desc' }] as const;

/** Whose transactions a list has. */
type Named = Pick<WalletIdentity, 'id' | 'publicKey'>;

const sentBy = ({ publicKey }: Named, of = {}) => publicKey && { ...of, senderPublicKey: [publicKey] };

@CoreV2Controller('wallets')
export class WalletsController {
  constructor(
    private readonly wallets: CoreWalletsReader,
    private readonly locks: CoreLocksReader,
    private readonly transactions: CoreTransactionsReader,
    private readonly finder: WalletFinder,
  ) {}

  @IndexedGet(['', 'top'], 'Wallets, largest balance first.', many('CoreWallet'))
  listWallets(@Query() query: WalletsQuery, @Pathname() pathname: string): MakeContent<object> {
    return made({ places: 'lists', key: pathname }, (chain) =>
      memoryAnswer(this.wallets, query, BY_BALANCE, pathname, chain, shownWallet),
    );
  }

  @IndexedGet(':id', 'A wallet, by its address, public key or name.', one('CoreWallet'))
  getWallet(@Param() { id }: WalletPath): MakeContent<object> {
    return async (chain) => {
      const wallet = await this.wallets.findWallet(chain.head, id, this.finder.addressOfKey(chain, id));
      if (!wallet) throw notFound('Wallet');
      return { data: shownWallet(wallet) };
    };
  }

  @CoreGet(':id/locks', 'The open locks of a wallet.', many('CoreLock'))
  listLocks(@Query() query: LocksQuery, @Param() { id }: OwnerPath, @Pathname() pathname: string) {
    return made({ places: 'lists', key: pathname }, async (chain) => {
      const { id: sender } = await this.finder.find(chain, id);
      return memoryAnswer(this.locks, query, NEWEST_LOCKS, pathname, chain, shownLock, sender);
    });
  }

  @IndexedGet(':id/transactions', 'All transactions of a wallet.', CORE_ANSWERS.transactions)
  listTransactions(
    @Query() query: TransactionsQuery,
    @Param() { id }: OwnerPath,
    @Pathname() pathname: string,
  ) {
    return this.listOf(query, id, pathname, ({ id: address }) => ({ address: [address] }));
  }

  @IndexedGet(':id/transactions/sent', 'What a wallet sent.', CORE_ANSWERS.transactions)
  listSent(@Query() query: TransactionsQuery, @Param() { id }: OwnerPath, @Pathname() pathname: string) {
    return this.listOf(query, id, pathname, sentBy);
  }

  @IndexedGet(':id/transactions/received', 'What a wallet received.', CORE_ANSWERS.transactions)
  listReceived(@Query() query: TransactionsQuery, @Param() { id }: OwnerPath, @Pathname() pathname: string) {
    return this.listOf(query, id, pathname, ({ id: address }) => ({ recipientId: [address] }));
  }

  @IndexedGet(':id/votes', 'The votes of a wallet.', CORE_ANSWERS.transactions)
  listVotes(@Query() query: TransactionsQuery, @Param() { id }: OwnerPath, @Pathname() pathname: string) {
    return this.listOf(query, id, pathname, (wallet) => sentBy(wallet, VOTES));
  }

  /** @param fixed the criteria that make it a list of this wallet; empty if it has no public key */
  private listOf(
    query: TransactionsQuery,
    id: string,
    pathname: string,
    fixed: (wallet: Named) => CoreListPage['criteria'] | null | '',
  ): MakeContent<object> {
    const pageFor = (wallet: Named): CoreListPage | null => {
      const criteria = fixed(wallet);
      return criteria ? pageOf(query, NEWEST_TRANSACTIONS, criteria) : null;
    };
    const places = placesOf(this.transactions, pageFor({ id, publicKey: id })!);
    return made({ places, key: pathname }, async (chain: ChainView) => {
      const page = pageFor(await this.finder.find(chain, id));
      // It cannot have sent anything.
      if (!page) return listAnswer(query, pathname, NO_ROWS, String);
      return transactionsAnswer(this.transactions, query, pathname, chain, page, shownTransaction);
    });
  }
}
