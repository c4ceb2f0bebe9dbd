import { Param, Query } from '@nestjs/common';
import {
  CORE_ANSWERS,
  coreList,
  corePath,
  CoreRefusal,
  ID,
  notFound,
  TRANSFORM,
} from '@roundhouse/dto/core-v2';
import { CoreTransactionsReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { NO_POSTS } from '../core-v1/refusals.js';
import {
  NEWEST_TRANSACTIONS,
  transactionsAnswer,
  TransactionsQuery,
  TransformQuery,
} from './blocks.controller.js';
import {
  CoreGet,
  CorePost,
  CoreV2Controller,
  IndexedGet,
  Pathname,
  PostedIds,
} from './core-v2.decorators.js';
import { listAnswer, NO_ROWS, pageOf, placesOf } from './list-answer.js';
import { rawTransaction, shownTransaction } from './resources.js';
import { byGroup, ENTITY_FEES, hasEntities, schemaOf, typesAt, type NodeType } from './transaction-types.js';

const constantsOf = ({ milestones, head }: ChainView) => milestones.configuredAt(head.height);
const typesOf = (chain: ChainView) => typesAt(constantsOf(chain));

export class TransactionPath extends corePath('id', ID.transaction) {}
class UnconfirmedQuery extends coreList(TRANSFORM) {}

@CoreV2Controller('transactions')
export class TransactionsController {
  constructor(private readonly transactions: CoreTransactionsReader) {}

  @IndexedGet('', 'Transactions.', CORE_ANSWERS.transactions)
  listTransactions(@Query() query: TransactionsQuery, @Pathname() pathname: string): MakeContent<object> {
    const page = pageOf(query, NEWEST_TRANSACTIONS);
    return made({ places: placesOf(this.transactions, page), key: pathname }, (chain) =>
      transactionsAnswer(this.transactions, query, pathname, chain, page, shownTransaction),
    );
  }

  /**
   * Always refused. Programs read either the error or what a pool did not take, by id, so the answer has both: its status
   * keeps those that read neither from taking it for success.
   */
  @CorePost()
  postTransactions(@PostedIds() ids: readonly string[]): MakeContent<object> {
    const error = { type: 'ERR_OTHER', message: NO_POSTS };
    throw new CoreRefusal(422, NO_POSTS, {
      data: { accept: [], broadcast: [], excess: [], invalid: ids },
      errors: Object.fromEntries(ids.map((id) => [id, error])),
    });
  }

  /** There is no pool of unconfirmed transactions. */
  @CoreGet('unconfirmed', 'Unconfirmed transactions: none.', CORE_ANSWERS.transactions)
  listUnconfirmed(@Query() query: UnconfirmedQuery, @Pathname() pathname: string): MakeContent<object> {
    return made({ key: pathname }, () => listAnswer(query, pathname, NO_ROWS, String));
  }

  @CoreGet('unconfirmed/:id', 'An unconfirmed transaction.', CORE_ANSWERS.transaction)
  getUnconfirmed(@Param() _: TransactionPath): MakeContent<object> {
    return () => {
      throw notFound('Transaction');
    };
  }

  @CoreGet('types', 'The types in force, by group.', CORE_ANSWERS.types)
  getTypes(): MakeContent<object> {
    const nameOf = ({ key }: NodeType): string => key[0]!.toUpperCase() + key.slice(1);
    return (chain) => ({ data: byGroup(typesOf(chain), nameOf, ({ type }) => type) });
  }

  @CoreGet('schemas', 'The schemas of the types in force.', CORE_ANSWERS.schemas)
  getSchemas(): MakeContent<object> {
    return (chain) => {
      const schema = (type: NodeType): object => schemaOf(type, constantsOf(chain));
      return { data: byGroup(typesOf(chain), ({ type }) => String(type), schema) };
    };
  }

  @CoreGet('fees', 'The static fees of the types in force.', CORE_ANSWERS.staticFees)
  getFees(): MakeContent<object> {
    return (chain) => {
      const constants = constantsOf(chain);
      const { staticFees } = constants['fees'] as { staticFees: Record<string, number | undefined> };
      const feeOf = ({ key, fee }: NodeType): string => String(staticFees[key] ?? fee);
      const fees = byGroup(typesAt(constants), ({ key }) => key, feeOf);
      return { data: { ...fees, ...(hasEntities(constants) && { 2: ENTITY_FEES }) } };
    };
  }

  @CoreGet(':id', 'A transaction.', CORE_ANSWERS.transaction)
  getTransaction(
    @Query() { transform }: TransformQuery,
    @Param() { id }: TransactionPath,
  ): MakeContent<object> {
    return async (chain) => {
      const found = await this.transactions.findTransaction(chain.head, id, () => chain.assertListIndexes());
      if (!found) throw notFound('Transaction');
      return { data: (transform ? shownTransaction : rawTransaction)(found, chain) };
    };
  }
}
