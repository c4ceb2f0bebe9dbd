import { Injectable } from '@nestjs/common';
import {
  anyValue,
  pageOf,
  refuse,
  TRANSACTION_RULES,
  transactionConditionsOf,
  transactionOrderOf,
  TRANSACTIONS_RULES,
  type NodeTransaction,
  type NodeTransactions,
  type NodeUnconfirmed,
} from '@roundhouse/dto/core-v1';
import { NodeTransactionsReader } from '@roundhouse/readers';
import { inPlaces } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-view.js';
import { route, type RouteGroup } from './core-v1-route.js';
import { shownTransaction } from './shown-transaction.js';

@Injectable()
export class TransactionsRoutes implements RouteGroup {
  constructor(private readonly transactions: NodeTransactionsReader) {}

  readonly routes = [
    route('transactions', { rules: TRANSACTIONS_RULES }, (parameters) => {
      const page = {
        ...pageOf(parameters),
        order: transactionOrderOf(parameters),
        conditions: transactionConditionsOf(parameters),
      };
      const make = async (chain: ChainView): Promise<NodeTransactions> => {
        const { transactions, count } = await this.transactions.listTransactions(chain.head, page);
        return {
          transactions: transactions.map((row) => shownTransaction(row, chain)),
          count,
          success: true,
        };
      };
      return this.transactions.isBounded(page) ? make : inPlaces('lists', make);
    }),
    route(
      'transactions/get',
      { rules: TRANSACTION_RULES },
      ({ id }) =>
        async (chain): Promise<NodeTransaction> => {
          const found = await this.transactions.findTransaction(chain.head, id);
          if (!found) throw refuse('No transactions found');
          return { transaction: shownTransaction(found, chain), success: true };
        },
    ),
    // There is no pool of unconfirmed transactions.
    route('transactions/unconfirmed', {}, () => (): NodeUnconfirmed => ({ transactions: [], success: true })),
    route('transactions/unconfirmed/get', { rules: { id: anyValue } }, () => () => {
      throw refuse('Transaction not found');
    }),
  ];
}
