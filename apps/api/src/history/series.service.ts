import { Injectable } from '@nestjs/common';
import { epochOf, type Moment } from '@roundhouse/chain';
import {
  InvalidRequestError,
  type BalanceSeriesResponseDto,
  type SeriesQueryDto,
  type WeightSeriesResponseDto,
} from '@roundhouse/dto';
import { SeriesReader, type DelegateName } from '@roundhouse/readers';
import { noBlockYet, NotFoundError } from '../answers/errors.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { NO_DELEGATE } from './at-height.js';
import { periodsBetween } from './periods.js';

/** More than ten years of days. For each, its last block is looked for. */
const MOST_POINTS = 5000;

const TOO_MANY = `The range has more than ${MOST_POINTS.toLocaleString('en')} periods; ask for a shorter range or a longer step.`;

interface Place {
  readonly place: bigint;
  readonly height: number;
}

@Injectable()
export class SeriesService {
  constructor(private readonly reader: SeriesReader) {}

  async getBalances(
    chain: ChainView,
    address: string,
    query: SeriesQueryDto,
  ): Promise<BalanceSeriesResponseDto> {
    const periods = await this.periodsOf(chain, query);
    const points = await this.reader.listBalances(chain.head, address, periods.ends);
    if (!points) throw new NotFoundError('There is no account with this address or public key.');
    return {
      points: points.flatMap(({ balance, locked, ...point }) =>
        balance === null || locked === null ? [] : [{ ...periods.shown(point), balance, locked }],
      ),
      success: true,
    };
  }

  async getWeights(
    chain: ChainView,
    delegate: DelegateName,
    query: SeriesQueryDto,
  ): Promise<WeightSeriesResponseDto> {
    const periods = await this.periodsOf(chain, query);
    const points = await this.reader.listWeights(chain.head, delegate, periods.ends);
    if (!points) throw new NotFoundError(NO_DELEGATE);
    return {
      points: points.flatMap(({ weight, rank, ...point }) =>
        weight === null ? [] : [{ ...periods.shown(point), weight, rank }],
      ),
      success: true,
    };
  }

  private async periodsOf(chain: ChainView, { step, from, to }: SeriesQueryDto) {
    const { head, constants } = chain;
    const epoch = epochOf(constants);
    const [earliest, latest] = [await this.timeOf(chain, 1), await this.timeOf(chain, head.height)];
    const secondOf = async (moment: Moment | undefined, side: 'first' | 'last', otherwise: number) => {
      if (!moment) return otherwise + epoch;
      return 'height' in moment ? (await this.timeOf(chain, moment.height)) + epoch : moment[side];
    };
    const [begin, end] = [await secondOf(from, 'first', earliest), await secondOf(to, 'last', latest)];
    if (from && to && begin > end)
      throw new InvalidRequestError('The parameter "from" must not be after "to".');
    const [first, last] = [Math.max(begin, earliest + epoch), Math.min(end, latest + epoch)];
    const starts = periodsBetween(step, first, last, MOST_POINTS);
    if (!starts) throw new InvalidRequestError(TOO_MANY);
    return {
      ends: starts.slice(1).map((start) => start - epoch),
      shown: ({ place, height }: Place) => ({
        time: new Date(starts[Number(place) - 1]! * 1000).toISOString(),
        height,
      }),
    };
  }

  /** Seconds since the chain's epoch. */
  private async timeOf({ head }: ChainView, height: number): Promise<number> {
    if (height > head.height) throw noBlockYet(height, head);
    return this.reader.findTime(head, height);
  }
}
