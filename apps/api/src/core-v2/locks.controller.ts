import { Param, Query } from '@nestjs/common';
import {
  checkedBody,
  coreList,
  coreMemoryList,
  corePath,
  ID,
  LOCK,
  LOCK_IDS,
  many,
  notFound,
  one,
  ORDER_BY,
  schemaOf,
} from '@roundhouse/dto/core-v2';
import { CoreLocksReader, CoreTransactionsReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { CoreGet, CorePost, CoreV2Controller, Pathname, Payload } from './core-v2.decorators.js';
import { listAnswer, memoryAnswer, pageOf } from './list-answer.js';
import { shownLock } from './memory-resources.js';
import { shownAlone } from './resources.js';

export class LocksQuery extends coreMemoryList(LOCK) {}
class UnlockedQuery extends coreList(ORDER_BY) {}
class LockPath extends corePath('id', ID.transaction) {}

export const NEWEST_LOCKS = [{ property: 'timestamp.unix', direction: 'desc' }] as const;

/** Open locks. */
@CoreV2Controller('locks')
export class LocksController {
  constructor(
    private readonly locks: CoreLocksReader,
    private readonly transactions: CoreTransactionsReader,
  ) {}

  @CoreGet('', 'Open locks.', many('CoreLock'))
  listLocks(@Query() query: LocksQuery, @Pathname() pathname: string): MakeContent<object> {
    return made({ places: 'lists', key: pathname }, (chain) =>
      memoryAnswer(this.locks, query, NEWEST_LOCKS, pathname, chain, shownLock),
    );
  }

  /** The transactions that claimed or refunded these locks. */
  @CorePost('unlocked', {
    summary: 'The transactions that closed these locks.',
    answer: many('CoreTransaction'),
    body: schemaOf(LOCK_IDS),
  })
  listUnlocked(
    @Query() query: UnlockedQuery,
    @Payload() body: unknown,
    @Pathname() pathname: string,
  ): MakeContent<object> {
    const { ids } = checkedBody<{ readonly ids: readonly string[] }>(LOCK_IDS, body);
    return made({ places: 'lists', key: `${pathname} ${ids.join()}`, isKept: false }, async (chain) => {
      const page = pageOf(query, [], { unlocks: [ids] });
      const found = await this.transactions.listTransactions(chain.head, page);
      return listAnswer(query, pathname, found, (row) => shownAlone(row, chain));
    });
  }

  @CoreGet(':id', 'An open lock.', one('CoreLock'))
  getLock(@Param() { id }: LockPath): MakeContent<object> {
    return async (chain) => {
      const lock = await this.locks.findLock(chain.head, id);
      if (!lock) throw notFound('Lock');
      return { data: shownLock(lock, chain) };
    };
  }
}
