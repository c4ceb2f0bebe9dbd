import { Query } from '@nestjs/common';
import { TransactionType } from '@roundhouse/chain';
import { ReadyJson } from '@roundhouse/dto';
import { nodeQuery, NodeRefusal, text, TransactionsQuery } from '@roundhouse/dto/core-v1';
import { NodeTransactionsReader, type NodeTransactionRow } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { CoreV1Controller, NodeGet } from './core-v1.decorators.js';
import { transactionsPageOf } from './list-parameters.js';

/** A transaction as a node showed it: it knew only the fields of version 1, and gave its votes the sender as their recipient. */
const shownTransaction = (transaction: NodeTransactionRow, { addresses }: ChainView) => {
  const { version, type, recipientId, senderPublicKey, vendorField, asset } = transaction;
  const senderId = addresses.addressOf(senderPublicKey);
  const isOfVersion1 = version === 1;
  const ownRecipient = isOfVersion1 && type === TransactionType.Vote ? senderId : null;
  return {
    ...transaction,
    version: null,
    senderId,
    recipientId: recipientId ?? ownRecipient,
    vendorField: (isOfVersion1 && vendorField?.toString()) || null,
    asset: new ReadyJson(asset ?? '{}'),
  };
};

class TransactionQuery extends nodeQuery({ id: text({ shortest: 1 }) }, 'id') {}

@CoreV1Controller('transactions')
export class TransactionsController {
  constructor(private readonly transactions: NodeTransactionsReader) {}

  @NodeGet()
  listTransactions(@Query() query: TransactionsQuery): MakeContent<object> {
    const page = transactionsPageOf(query);
    return made(this.transactions.isBounded(page) ? {} : { places: 'lists' }, async (chain) => {
      if (page.conditions.length > 0) chain.assertListIndexes();
      const { transactions, count } = await this.transactions.listTransactions(chain.head, page);
      return { transactions: transactions.map((row) => shownTransaction(row, chain)), count, success: true };
    });
  }

  @NodeGet('get')
  getTransaction(@Query() { id }: TransactionQuery): MakeContent<object> {
    return async (chain) => {
      const found = await this.transactions.findTransaction(chain.head, id);
      if (!found) throw new NodeRefusal('No transactions found');
      return { transaction: shownTransaction(found, chain), success: true };
    };
  }

  /** There is no pool of unconfirmed transactions. */
  @NodeGet('unconfirmed')
  listUnconfirmed(): MakeContent<object> {
    return () => ({ transactions: [], success: true });
  }

  @NodeGet('unconfirmed/get')
  getUnconfirmed(): MakeContent<object> {
    return () => {
      throw new NodeRefusal('Transaction not found');
    };
  }
}
