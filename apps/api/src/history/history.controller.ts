import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AccountChangesQueryDto,
  AccountChangesResponseDto,
  BalanceSeriesResponseDto,
  DelegatePathDto,
  DelegateRoundsQueryDto,
  DelegateRoundsResponseDto,
  HeightQueryDto,
  PastAccountPathDto,
  PastAccountResponseDto,
  PastDelegatesResponseDto,
  PastSupplyResponseDto,
  PastVotersResponseDto,
  PayoutsQueryDto,
  PayoutsResponseDto,
  ReadyJson,
  SeriesQueryDto,
  WeightSeriesResponseDto,
  writeAccountChangeCursor,
} from '@roundhouse/dto';
import {
  ABOVE_ALL_HEIGHTS,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  RowStreams,
  type ListOrStream,
} from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';
import { assertKeepsCursor, assertReachesCursor, NotFoundError } from '../answers/errors.js';
import { CSV_MEDIA_TYPE } from '../answers/headers.js';
import { listContent } from '../answers/answers.service.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { contentAt, delegateNamed, NO_DELEGATE, NO_DELEGATE_THEN } from './at-height.js';
import { AS_CSV, PayoutsService } from './payouts.service.js';
import { SeriesService } from './series.service.js';

const NO_ACCOUNT_THEN = 'There was no account with this address or public key at this height.';

/** Every answer may throw `NoHistoryError`, and those about a height `NotFoundError` as `contentAt` does. */
@ApiTags('History')
@Controller('api/history')
export class HistoryController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly accounts: HistoryAccountsReader,
    private readonly delegates: HistoryDelegatesReader,
    private readonly streams: RowStreams,
    private readonly payouts: PayoutsService,
    private readonly series: SeriesService,
  ) {}

  @Get('supply')
  @Answers(PastSupplyResponseDto, { summary: 'The supply at a height', finds: 'height', needsHistory: true })
  getSupply(@Query() { height }: HeightQueryDto) {
    const find = ({ head }: ChainView) => this.delegates.getSupply(head, height);
    return contentAt(this.accounts, height, find, (supply) => ({ height, supply, success: true }));
  }

  @Get('accounts/:address')
  @Answers(PastAccountResponseDto, {
    summary: 'One account at a height',
    finds: 'account at this height',
    needsHistory: true,
  })
  getAccount(
    @Param() { address }: PastAccountPathDto,
    @Query() { height }: HeightQueryDto,
  ): MakeContent<PastAccountResponseDto> {
    const find = (chain: ChainView) => {
      // A second key is found by its transaction.
      chain.assertListIndexes();
      return this.accounts.findAccount(chain.head, chain.addressNamed(address), height);
    };
    return contentAt(
      this.accounts,
      height,
      find,
      (account) => ({ height, account, success: true as const }),
      NO_ACCOUNT_THEN,
    );
  }

  /** Throws as `assertReachesCursor` and `assertKeepsCursor` do. */
  @Get('accounts/:address/changes')
  @Answers(AccountChangesResponseDto, {
    summary: "Changes of an account's balance, locked amount and vote, newest first",
    finds: 'account',
    isPaged: true,
    needsHistory: true,
  })
  listChanges(
    @Param() { address }: PastAccountPathDto,
    @Query() { cursor, limit }: AccountChangesQueryDto,
  ): MakeContent<AccountChangesResponseDto> {
    return async (chain) => {
      const { head } = chain;
      if (cursor) assertReachesCursor(head, cursor);
      const below = cursor?.height ?? ABOVE_ALL_HEIGHTS;
      const listed = await this.accounts.listChanges(head, chain.addressNamed(address), below, limit);
      if (!listed) throw new NotFoundError('There is no account with this address or public key.');
      const { changes, next, blockIdBelow } = listed;
      if (cursor) assertKeepsCursor(cursor, blockIdBelow);
      return { changes, nextCursor: next && writeAccountChangeCursor(next), success: true };
    };
  }

  @Get('accounts/:address/series')
  @Answers(BalanceSeriesResponseDto, {
    summary: 'The balance of an account at the end of each day, week or month',
    finds: 'account',
    needsHistory: true,
  })
  getBalances(@Param() { address }: PastAccountPathDto, @Query() query: SeriesQueryDto) {
    return made({ places: 'lists' }, (chain: ChainView) =>
      this.series.getBalances(chain, chain.addressNamed(address), query),
    );
  }

  @Get('delegates/:delegate/series')
  @Answers(WeightSeriesResponseDto, {
    summary: 'The weight and rank of a delegate at the end of each day, week or month',
    finds: 'delegate',
    needsHistory: true,
  })
  getWeights(@Param() { delegate }: DelegatePathDto, @Query() query: SeriesQueryDto) {
    return made({ places: 'lists' }, (chain: ChainView) =>
      this.series.getWeights(chain, delegateNamed(delegate), query),
    );
  }

  @Get('delegates')
  @Answers(PastDelegatesResponseDto, {
    summary: 'All delegates at a height, by rank',
    finds: 'height',
    needsHistory: true,
  })
  listDelegates(@Query() { height }: HeightQueryDto) {
    const most = this.settings.STREAM_FROM_VOTERS - 1;
    const find = ({ head }: ChainView) => this.delegates.listDelegates(head, height, most);
    const contentWith = (delegates: ReadyJson) => ({ height, delegates, success: true });
    const contentOf = (found: ListOrStream) => listContent(found, this.streams, contentWith);
    return contentAt(this.accounts, height, find, contentOf);
  }

  @Get('delegates/:delegate/voters')
  @Answers(PastVotersResponseDto, {
    summary: 'Accounts that voted for a delegate at a height, largest balance first',
    finds: 'delegate at this height',
    needsHistory: true,
  })
  listVoters(@Param() { delegate }: DelegatePathDto, @Query() { height }: HeightQueryDto) {
    const name = delegateNamed(delegate);
    const most = this.settings.STREAM_FROM_VOTERS - 1;
    const find = ({ head }: ChainView) => this.delegates.listVoters(head, name, height, most);
    const contentWith = (accounts: ReadyJson) => ({ height, accounts, success: true });
    const contentOf = (found: ListOrStream) => listContent(found, this.streams, contentWith);
    return contentAt(this.accounts, height, find, contentOf, NO_DELEGATE_THEN);
  }

  @Get('delegates/:delegate/rounds')
  @Answers(DelegateRoundsResponseDto, {
    summary:
      "A delegate's weight and rank at the ends of the last rounds, newest first, and which list of forgers followed",
    finds: 'delegate',
    needsHistory: true,
  })
  listRounds(
    @Param() { delegate }: DelegatePathDto,
    @Query() { limit }: DelegateRoundsQueryDto,
  ): MakeContent<DelegateRoundsResponseDto> {
    return async ({ head }) => {
      const rounds = await this.delegates.listRounds(head, delegateNamed(delegate), limit);
      if (!rounds) throw new NotFoundError(NO_DELEGATE);
      return { rounds, success: true };
    };
  }

  @Get('delegates/:delegate/payouts')
  @Answers(PayoutsResponseDto, {
    summary:
      'What each voter gets of the blocks that a delegate forged in a range, by the weights before each block; exact',
    finds: 'delegate at these heights',
    needsHistory: true,
    isRenewed: false,
    otherMediaTypes: [CSV_MEDIA_TYPE],
  })
  getPayouts(@Param() path: DelegatePathDto, @Query() query: PayoutsQueryDto) {
    const how = { places: 'payouts', ...(query.format === 'csv' && { writing: AS_CSV }) } as const;
    return made(how, this.payouts.getPayouts({ ...path, ...query }));
  }
}
