import { Query } from '@nestjs/common';
import { addressOf, TransactionType } from '@roundhouse/chain';
import { ReadyJson } from '@roundhouse/dto';
import { anyValue, nodeQuery, refuse, required, text, TRANSACTIONS_RULES } from '@roundhouse/dto/core-v1';
import { NodeTransactionsReader, type NodeTransactionRow } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { CoreV1Controller, NodeGet } from './core-v1.decorators.js';
import { pageOf, transactionConditionsOf, transactionOrderOf } from './list-parameters.js';

/** A transaction as a node showed it; what it does not have is absent. */
const shownTransaction = (transaction: NodeTransactionRow, { head, network }: ChainView) => {
  const { version, type, recipientId, senderPublicKey, vendorField, signatures } = transaction;
  const senderId = addressOf(senderPublicKey, network.pubKeyHash);
  // The node knew only the fields of version 1. It gave its votes the sender as their recipient.
  const isOfVersion1 = version === 1;
  const ownRecipient = isOfVersion1 && type === TransactionType.Vote ? senderId : undefined;
  return {
    id: transaction.id,
    blockid: transaction.blockId,
    type,
    timestamp: transaction.timestamp,
    amount: transaction.amount,
    fee: transaction.fee,
    recipientId: recipientId ?? ownRecipient,
    senderId,
    senderPublicKey,
    vendorField: (isOfVersion1 && vendorField?.toString()) || undefined,
    signature: transaction.signature ?? undefined,
    signSignature: transaction.secondSignature ?? undefined,
    signatures: signatures.length > 0 ? signatures : undefined,
    asset: new ReadyJson(transaction.asset ?? '{}'),
    confirmations: head.height - transaction.height,
  };
};

class TransactionsQuery extends nodeQuery(TRANSACTIONS_RULES) {}
class TransactionQuery extends nodeQuery({ id: required(text({ shortest: 1 })) }) {}
class UnconfirmedQuery extends nodeQuery({ id: anyValue }) {}

@CoreV1Controller('transactions')
export class TransactionsController {
  constructor(private readonly transactions: NodeTransactionsReader) {}

  @NodeGet()
  listTransactions(@Query() query: TransactionsQuery): MakeContent<object> {
    const page = {
      ...pageOf(query),
      order: transactionOrderOf(query),
      conditions: transactionConditionsOf(query),
    };
    return made(this.transactions.isBounded(page) ? {} : { places: 'lists' }, async (chain) => {
      const { transactions, count } = await this.transactions.listTransactions(chain.head, page);
      return { transactions: transactions.map((row) => shownTransaction(row, chain)), count, success: true };
    });
  }

  @NodeGet('get')
  getTransaction(@Query() { id }: TransactionQuery): MakeContent<object> {
    return async (chain) => {
      const found = await this.transactions.findTransaction(chain.head, id);
      if (!found) throw refuse('No transactions found');
      return { transaction: shownTransaction(found, chain), success: true };
    };
  }

  /** There is no pool of unconfirmed transactions. */
  @NodeGet('unconfirmed')
  listUnconfirmed(): MakeContent<object> {
    return () => ({ transactions: [], success: true });
  }

  @NodeGet('unconfirmed/get')
  getUnconfirmed(@Query() _query: UnconfirmedQuery): MakeContent<object> {
    return () => {
      throw refuse('Transaction not found');
    };
  }
}
