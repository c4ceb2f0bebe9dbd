import { Query } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import { address, anyValue, integer, nodeQuery, NodeRefusal } from '@roundhouse/dto/core-v1';
import { NodeAccountsReader, NodeDelegatesReader, RowStreams } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { listContent } from '../answers/answers.service.js';
import { CoreV1Controller, NodeGet } from './core-v1.decorators.js';
import { accountOrderOf, DEFAULT_LIMIT, pageOf, sliceOf } from './list-parameters.js';

/** The longest list of all accounts. A node had no bound; its accounts were in memory. */
const MOST_ACCOUNTS = 10_000;

/** A list of so many accounts, 290 KB, is streamed. Longer ones would keep other requests waiting while they are made. */
const STREAM_FROM_ACCOUNTS = 1000;

class AccountQuery extends nodeQuery({ address }, 'address') {}
class TopAccountsQuery extends nodeQuery({ limit: integer(0, 100), offset: integer(0) }) {}

/** The node checks none of them. */
class AllAccountsQuery extends nodeQuery({ limit: anyValue, offset: anyValue, orderBy: anyValue }) {}

/** A list of accounts as a node shows it. */
export const accountsContent = (accounts: ReadyJson) => ({ accounts, success: true });

@CoreV1Controller('accounts')
export class AccountsController {
  constructor(
    private readonly accounts: NodeAccountsReader,
    private readonly delegates: NodeDelegatesReader,
    private readonly streams: RowStreams,
  ) {}

  @NodeGet()
  getAccount(@Query() { address }: AccountQuery): MakeContent<object> {
    return async ({ head }) => {
      const account = await this.accounts.findAccount(head, address);
      if (!account) throw new NodeRefusal('Account not found');
      return { account: new ReadyJson(account.json), success: true };
    };
  }

  /** Both are the balance: unconfirmed transactions do not count. */
  @NodeGet('getBalance')
  getBalance(@Query() { address }: AccountQuery): MakeContent<object> {
    return async ({ head }) => {
      const account = await this.accounts.findAccount(head, address);
      const balance = String(account?.balance ?? 0n);
      return { balance, unconfirmedBalance: balance, success: true };
    };
  }

  @NodeGet('getPublicKey')
  getPublicKey(@Query() { address }: AccountQuery): MakeContent<object> {
    return async ({ head }) => {
      const account = await this.accounts.findAccount(head, address);
      if (!account) throw new NodeRefusal('Account not found');
      return { publicKey: account.publicKey, success: true };
    };
  }

  @NodeGet('delegates')
  getVote(@Query() { address }: AccountQuery): MakeContent<object> {
    return async ({ head }) => {
      const account = await this.accounts.findAccount(head, address);
      if (!account) throw new NodeRefusal('Address not found.');
      if (account.vote === null) throw new NodeRefusal(`Address ${address} hasn't voted yet.`);
      const delegate = await this.delegates.findDelegate(head, account.vote);
      return { delegates: ReadyJson.list(delegate), success: true };
    };
  }

  @NodeGet('delegates/fee')
  getFee(): MakeContent<object> {
    return ({ constants }) => ({ fee: constants.staticFees.delegateRegistration, success: true });
  }

  @NodeGet('count')
  countAccounts(): MakeContent<object> {
    return made({ places: 'lists' }, async ({ head }) => ({
      count: await this.accounts.countAccounts(head),
      success: true,
    }));
  }

  @NodeGet('top')
  listTop(@Query() query: TopAccountsQuery): MakeContent<object> {
    const { limit, offset } = pageOf(query);
    return made({ places: 'lists' }, async (chain) => {
      chain.assertListIndexes();
      const accounts = await this.accounts.listTop(chain.head, limit, offset);
      return listContent(accounts, this.streams, accountsContent);
    });
  }

  @NodeGet('getAllAccounts')
  listAccounts(@Query() { limit, offset, orderBy }: AllAccountsQuery): MakeContent<object> {
    const order = accountOrderOf(orderBy);
    const { from, to } = sliceOf(offset, limit || DEFAULT_LIMIT);
    const length = from < 0 ? 0 : Math.min(Math.max(0, to - from), MOST_ACCOUNTS);
    return made({ places: 'lists' }, async (chain) => {
      if (order.column === 'balance') chain.assertListIndexes();
      const most = STREAM_FROM_ACCOUNTS - 1;
      const accounts =
        length > 0 ? await this.accounts.listAccounts(chain.head, order, length, from, most) : '';
      return listContent(accounts, this.streams, accountsContent);
    });
  }
}
