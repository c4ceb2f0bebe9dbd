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

@Injectable()
export class SeriesService {
  constructor(private readonly reader: SeriesReader) {}

  getBalances(chain: ChainView, address: string, query: SeriesQueryDto): Promise<BalanceSeriesResponseDto> {
    const missing = 'There is no account with this address or public key.';
    const { head } = chain;
    return this.seriesOf(chain, query, missing, (ends) => this.reader.listBalances(head, address, ends));
  }

  getWeights(
    chain: ChainView,
    delegate: DelegateName,
    query: SeriesQueryDto,
  ): Promise<WeightSeriesResponseDto> {
    const { head } = chain;
    return this.seriesOf(chain, query, NO_DELEGATE, (ends) => this.reader.listWeights(head, delegate, ends));
  }

  /** When a block was forged, or a period begins or ends, in seconds since 1970. Throws `NotFoundError`. */
  async secondOf({ head, constants }: ChainView, moment: Moment, side: 'first' | 'last'): Promise<number> {
    if (!('height' in moment)) return moment[side];
    if (moment.height > head.height) throw noBlockYet(moment.height, head);
    return (await this.reader.findTime(head, moment.height)) + epochOf(constants);
  }

  private async seriesOf<Point extends { readonly place: bigint }>(
    chain: ChainView,
    query: SeriesQueryDto,
    missing: string,
    list: (ends: number[]) => Promise<Point[] | undefined>,
  ) {
    const starts = await this.periodsOf(chain, query);
    const epoch = epochOf(chain.constants);
    const points = await list(starts.slice(1).map((start) => start - epoch));
    if (!points) throw new NotFoundError(missing);
    const timeOf = (place: bigint): string => new Date(starts[Number(place) - 1]! * 1000).toISOString();
    return {
      points: points.map(({ place, ...point }) => ({ time: timeOf(place), ...point })),
      success: true as const,
    };
  }

  /** When the periods begin, and the one after them, in seconds since 1970. Throws `InvalidRequestError`. */
  private async periodsOf(chain: ChainView, { step, from, to }: SeriesQueryDto): Promise<number[]> {
    const earliest = await this.secondOf(chain, { height: 1 }, 'first');
    const latest = await this.secondOf(chain, { height: chain.head.height }, 'last');
    const begin = from ? await this.secondOf(chain, from, 'first') : earliest;
    const end = to ? await this.secondOf(chain, to, 'last') : latest;
    if (from && to && begin > end)
      throw new InvalidRequestError('The parameter "from" must not be after "to".');
    const starts = periodsBetween(step, Math.max(begin, earliest), Math.min(end, latest), MOST_POINTS);
    if (!starts) throw new InvalidRequestError(TOO_MANY);
    return starts;
  }
}
