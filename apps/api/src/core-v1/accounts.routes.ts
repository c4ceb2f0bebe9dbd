import { Injectable } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import {
  ACCOUNT_RULES,
  accountOrderOf,
  ALL_ACCOUNTS_RULES,
  DEFAULT_LIMIT,
  pageOf,
  refuse,
  sliceOf,
  TOP_ACCOUNTS_RULES,
  type NodeAccount,
  type NodeAccounts,
  type NodeBalance,
  type NodeCount,
  type NodeFee,
  type NodeFoundDelegates,
  type NodePublicKey,
} from '@roundhouse/dto/core-v1';
import { NodeAccountsReader, NodeDelegatesReader, RowStreams, streamNodeAccounts } from '@roundhouse/readers';
import { LargeContent } from '../answers/large-content.js';
import { inPlaces } from '../answers/answer-request.js';
import { route, type RouteGroup } from './core-v1-route.js';

/** The longest list of all accounts. A node had no bound; its accounts were in memory. */
const MOST_ACCOUNTS = 10_000;

/** A list of so many accounts, 290 KB, is streamed. Longer ones would keep other requests waiting while they are made. */
const STREAM_FROM_ACCOUNTS = 1000;

const rules = ACCOUNT_RULES;

@Injectable()
export class AccountsRoutes implements RouteGroup {
  constructor(
    private readonly accounts: NodeAccountsReader,
    private readonly delegates: NodeDelegatesReader,
    private readonly streams: RowStreams,
  ) {}

  readonly routes = [
    route('accounts', { rules }, ({ address }) => async ({ head }): Promise<NodeAccount> => {
      const account = await this.accounts.findAccount(head, address);
      if (!account) throw refuse('Account not found');
      return { account: new ReadyJson(account.json), success: true };
    }),
    route('accounts/getBalance', { rules }, ({ address }) => async ({ head }): Promise<NodeBalance> => {
      const account = await this.accounts.findAccount(head, address);
      const balance = String(account?.balance ?? 0n);
      return { balance, unconfirmedBalance: balance, success: true };
    }),
    route('accounts/getPublicKey', { rules }, ({ address }) => async ({ head }): Promise<NodePublicKey> => {
      const account = await this.accounts.findAccount(head, address);
      if (!account) throw refuse('Account not found');
      return { publicKey: account.publicKey ?? undefined, success: true };
    }),
    route('accounts/delegates', { rules }, ({ address }) => async ({ head }): Promise<NodeFoundDelegates> => {
      const account = await this.accounts.findAccount(head, address);
      if (!account) throw refuse('Address not found.');
      if (account.vote === null) throw refuse(`Address ${address} hasn't voted yet.`);
      const delegate = await this.delegates.findDelegate(head, account.vote);
      return { delegates: ReadyJson.list(delegate), success: true };
    }),
    route('accounts/delegates/fee', {}, () => ({ constants }): NodeFee => ({
      fee: constants.staticFees.delegateRegistration,
      success: true,
    })),
    route('accounts/count', {}, () =>
      inPlaces('lists', async ({ head }): Promise<NodeCount> => ({
        count: await this.accounts.countAccounts(head),
        success: true,
      })),
    ),
    route('accounts/top', { rules: TOP_ACCOUNTS_RULES }, (parameters) =>
      inPlaces('lists', async ({ head }): Promise<NodeAccounts> => {
        const { limit, offset } = pageOf(parameters);
        const accounts = await this.accounts.listTop(head, limit, Math.min(offset, Number.MAX_SAFE_INTEGER));
        return { accounts: ReadyJson.list(accounts), success: true };
      }),
    ),
    route('accounts/getAllAccounts', { rules: ALL_ACCOUNTS_RULES }, ({ limit, offset, orderBy }) => {
      const order = accountOrderOf(orderBy);
      const { from, to } = sliceOf(offset, limit || DEFAULT_LIMIT);
      const length = from < 0 ? 0 : Math.min(Math.max(0, to - from), MOST_ACCOUNTS);
      const contentWith = (accounts: ReadyJson): NodeAccounts => ({ accounts, success: true });
      return inPlaces('lists', async ({ head }) => {
        if (length >= STREAM_FROM_ACCOUNTS && (await this.accounts.hasAccountsAfter(head, from)))
          return new LargeContent(contentWith, () =>
            streamNodeAccounts(this.streams, head, order, length, from),
          );
        if (length === 0) return contentWith(ReadyJson.list(''));
        return contentWith(ReadyJson.list(await this.accounts.listAccounts(head, order, length, from)));
      });
    }),
  ];
}
