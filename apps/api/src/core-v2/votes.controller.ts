import { Param, Query } from '@nestjs/common';
import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { CORE_ANSWERS, notFound } from '@roundhouse/dto/core-v2';
import { CoreTransactionsReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import {
  NEWEST_TRANSACTIONS,
  transactionsAnswer,
  TransactionsQuery,
  TransformQuery,
} from './blocks.controller.js';
import { CoreGet, CoreV2Controller, IndexedGet, Pathname } from './core-v2.decorators.js';
import { pageOf, placesOf } from './list-answer.js';
import { rawTransaction, shownAlone } from './resources.js';
import { TransactionPath } from './transactions.controller.js';

export const VOTES = { typeGroup: [CORE_TYPE_GROUP], type: [TransactionType.Vote] };

@CoreV2Controller('votes')
export class VotesController {
  constructor(private readonly transactions: CoreTransactionsReader) {}

  @IndexedGet('', 'Votes.', CORE_ANSWERS.transactions)
  listVotes(@Query() query: TransactionsQuery, @Pathname() pathname: string): MakeContent<object> {
    const page = pageOf(query, NEWEST_TRANSACTIONS, VOTES);
    return made({ places: placesOf(this.transactions, page), key: pathname }, (chain) =>
      transactionsAnswer(this.transactions, query, pathname, chain, page, shownAlone),
    );
  }

  @CoreGet(':id', 'A vote.', CORE_ANSWERS.transaction)
  getVote(@Query() { transform }: TransformQuery, @Param() { id }: TransactionPath): MakeContent<object> {
    return async (chain) => {
      const vote = await this.transactions.findTransaction(chain.head, id, () => chain.assertListIndexes());
      if (vote?.typeGroup !== CORE_TYPE_GROUP || vote.type !== TransactionType.Vote) throw notFound('Vote');
      return { data: (transform ? shownAlone : rawTransaction)(vote, chain) };
    };
  }
}
