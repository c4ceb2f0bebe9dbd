import { Injectable } from '@nestjs/common';
import { DAY_SECONDS, type Moment } from '@roundhouse/chain';
import {
  InvalidRequestError,
  writeDayCursor,
  type DailyStatisticsQueryDto,
  type DailyStatisticsResponseDto,
} from '@roundhouse/dto';
import { StatisticsReader } from '@roundhouse/readers';
import { assertKeepsCursor, assertReachesCursor } from '../answers/errors.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { SeriesService } from '../history/series.service.js';

const dateOf = (day: number): string => new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);

@Injectable()
export class StatisticsService {
  constructor(
    private readonly statistics: StatisticsReader,
    private readonly series: SeriesService,
  ) {}

  /** Throws `InvalidRequestError`, `NotFoundError`, `NoDetailsError`, and as `assertReachesCursor` and `assertKeepsCursor` do. */
  async listDays(chain: ChainView, query: DailyStatisticsQueryDto): Promise<DailyStatisticsResponseDto> {
    const { head } = chain;
    const { cursor, limit } = query;
    const [from, to] = [await this.dayOf(chain, query.from), await this.dayOf(chain, query.to)];
    if (from !== undefined && to !== undefined && from > to)
      throw new InvalidRequestError('The parameter "from" must not be after "to".');
    if (cursor) assertReachesCursor(head, cursor);
    const range = { from, to: cursor ? cursor.day - 1 : to, limit, after: cursor?.height };
    const { days, next, blockIdAfter } = await this.statistics.listDays(head, range);
    if (cursor) assertKeepsCursor(cursor, blockIdAfter);
    return {
      // A chain that has ended gets no more blocks.
      days: days.map((row) => ({
        ...row,
        date: dateOf(row.day),
        isRunning: row.isRunning && !chain.isFrozen,
      })),
      // If another day follows, there is a block before this one.
      nextCursor: next && writeDayCursor({ day: next.day, height: next.below!, blockId: next.belowId! }),
      success: true,
    };
  }

  /** Days since 1970-01-01. */
  private async dayOf(chain: ChainView, moment: Moment | undefined) {
    return moment && Math.floor((await this.series.secondOf(chain, moment, 'first')) / DAY_SECONDS);
  }
}
