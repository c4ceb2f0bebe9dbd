import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AccountChangesQueryDto,
  AccountChangesResponseDto,
  DelegateRoundsQueryDto,
  DelegateRoundsResponseDto,
  HeightQueryDto,
  PastAccountPathDto,
  PastAccountResponseDto,
  PastDelegatePathDto,
  PastDelegatesResponseDto,
  PastSupplyResponseDto,
  PastVotersResponseDto,
  PayoutsQueryDto,
  PayoutsResponseDto,
  ReadyJson,
  writeAccountChangeCursor,
} from '@roundhouse/dto';
import {
  ABOVE_ALL_HEIGHTS,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  RowStreams,
} from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { Answers } from '../answers/answers.decorator.js';
import { assertKeepsCursor, assertReachesCursor } from '../answers/assert-cursor.js';
import { listContent } from '../answers/answers.service.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { assertReached, contentAt, delegateNamed, NO_DELEGATE_THEN } from './at-height.js';
import { AS_CSV, CSV_MEDIA_TYPE, PayoutsService } from './payouts.service.js';

/** Every answer may throw `NoHistoryError`, and `NotFoundError` for a height above the head. */
@ApiTags('History')
@Controller('api/history')
export class HistoryController {
  /** A longer list is streamed. */
  private readonly mostListed: number;

  constructor(
    @Inject(SETTINGS) { STREAM_FROM_VOTERS }: ApiSettings,
    private readonly accounts: HistoryAccountsReader,
    private readonly delegates: HistoryDelegatesReader,
    private readonly streams: RowStreams,
    private readonly payouts: PayoutsService,
  ) {
    this.mostListed = STREAM_FROM_VOTERS - 1;
  }

  @Get('supply')
  @Answers(PastSupplyResponseDto, { summary: 'The supply at a height', finds: 'height', needsHistory: true })
  getSupply(@Query() { height }: HeightQueryDto): MakeContent<PastSupplyResponseDto> {
    return async (chain) => {
      await assertReached(this.accounts, chain, height);
      const { found: supply, lowestHead } = await this.delegates.getSupply(chain.head, height);
      return contentAt(height, lowestHead, { height, supply, success: true });
    };
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
    return async (chain) => {
      await assertReached(this.accounts, chain, height);
      const named = chain.addressNamed(address);
      const { found: account, lowestHead } = await this.accounts.findAccount(chain.head, named, height);
      if (!account)
        throw new NotFoundError('There was no account with this address or public key at this height.');
      return contentAt(height, lowestHead, { height, account, success: true });
    };
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

  @Get('delegates')
  @Answers(PastDelegatesResponseDto, {
    summary: 'All delegates at a height, by rank',
    finds: 'height',
    needsHistory: true,
  })
  listDelegates(@Query() { height }: HeightQueryDto): MakeContent<PastDelegatesResponseDto> {
    const contentWith = (delegates: ReadyJson): PastDelegatesResponseDto => ({
      height,
      delegates,
      success: true,
    });
    return async (chain) => {
      await assertReached(this.accounts, chain, height);
      const { found, lowestHead } = await this.delegates.listDelegates(chain.head, height, this.mostListed);
      return contentAt(height, lowestHead, listContent(found, this.streams, contentWith));
    };
  }

  @Get('delegates/:delegate/voters')
  @Answers(PastVotersResponseDto, {
    summary: 'Accounts that voted for a delegate at a height, largest balance first',
    finds: 'delegate at this height',
    needsHistory: true,
  })
  listVoters(
    @Param() { delegate }: PastDelegatePathDto,
    @Query() { height }: HeightQueryDto,
  ): MakeContent<PastVotersResponseDto> {
    const contentWith = (accounts: ReadyJson): PastVotersResponseDto => ({ height, accounts, success: true });
    return async (chain) => {
      await assertReached(this.accounts, chain, height);
      const name = delegateNamed(delegate);
      const listed = await this.delegates.listVoters(chain.head, name, height, this.mostListed);
      if (!listed) throw new NotFoundError(NO_DELEGATE_THEN);
      return contentAt(height, listed.lowestHead, listContent(listed.found, this.streams, contentWith));
    };
  }

  @Get('delegates/:delegate/rounds')
  @Answers(DelegateRoundsResponseDto, {
    summary:
      "A delegate's weight and rank at the ends of the last rounds, newest first, and which list of forgers followed",
    finds: 'delegate',
    needsHistory: true,
  })
  listRounds(
    @Param() { delegate }: PastDelegatePathDto,
    @Query() { limit }: DelegateRoundsQueryDto,
  ): MakeContent<DelegateRoundsResponseDto> {
    return async ({ head }) => {
      const rounds = await this.delegates.listRounds(head, delegateNamed(delegate), limit);
      if (!rounds) throw new NotFoundError('There is no delegate with this username or public key.');
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
  getPayouts(
    @Param() path: PastDelegatePathDto,
    @Query() query: PayoutsQueryDto,
  ): MakeContent<PayoutsResponseDto> {
    return made({ places: 'payouts', ...(query.format === 'csv' && { writing: AS_CSV }) }, (chain) =>
      this.payouts.getPayouts(chain, { ...path, ...query }),
    );
  }
}
