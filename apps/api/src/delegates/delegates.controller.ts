import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DelegateCountResponseDto,
  DelegateFeeResponseDto,
  DelegatePathDto,
  DelegateQueryDto,
  DelegateSearchQueryDto,
  DelegateSearchResponseDto,
  DelegatesQueryDto,
  DelegatesResponseDto,
  ForgedBlocksQueryDto,
  ForgedBlocksResponseDto,
  ForgedQueryDto,
  ForgedResponseDto,
  NextForgersQueryDto,
  NextForgersResponseDto,
  ReadyJson,
  VotersQueryDto,
  VotersResponseDto,
  writeBlockCursor,
} from '@roundhouse/dto';
import { ABOVE_ALL_HEIGHTS, BlocksReader, DelegatesReader, RowStreams } from '@roundhouse/readers';
import { Answers } from '../answers/answers.decorator.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { listContent } from '../answers/answers.service.js';
import { assertKeepsCursor, assertReachesCursor, NotFoundError } from '../answers/errors.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { delegateNamed, NO_DELEGATE } from '../history/at-height.js';
import { NextForgersService } from './next-forgers.service.js';

const NO_DELEGATE_WITH_KEY = 'There is no delegate with this public key.';

@ApiTags('Delegates')
@Controller('api/delegates')
export class DelegatesController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly delegates: DelegatesReader,
    private readonly blocks: BlocksReader,
    private readonly streams: RowStreams,
    private readonly nextForgers: NextForgersService,
  ) {}

  @Get()
  @Answers(DelegatesResponseDto, { summary: 'Delegates, by rank' })
  listDelegates(@Query() query: DelegatesQueryDto) {
    return async ({ head, constants }: ChainView) => {
      const { orderBy, offset, limit = constants.activeDelegates } = query;
      const page = { sort: orderBy.column, direction: orderBy.direction, limit, offset };
      return { delegates: ReadyJson.list(await this.delegates.listDelegates(head, page)), success: true };
    };
  }

  /** Streamed from `STREAM_FROM_VOTERS` voters on. */
  @Get('voters')
  @Answers(VotersResponseDto, {
    summary: 'Accounts that vote for a delegate, largest balance first',
    finds: 'delegate',
  })
  getVoters(@Query() { publicKey, limit, offset }: VotersQueryDto) {
    const most = this.settings.STREAM_FROM_VOTERS - 1;
    const contentWith = (accounts: ReadyJson): VotersResponseDto => ({ accounts, success: true });
    return async ({ head }: ChainView) => {
      const voters = await this.delegates.findVoters(head, publicKey, limit ?? null, offset, most);
      if (voters === undefined) throw new NotFoundError(NO_DELEGATE_WITH_KEY);
      return listContent(voters, this.streams, contentWith);
    };
  }

  @Get('get')
  @Answers(DelegatesResponseDto, { summary: 'Delegates by public key or username', finds: 'delegate' })
  getDelegates(@Query() query: DelegateQueryDto) {
    return async ({ head }: ChainView) => {
      const delegates = await this.delegates.listMatching(head, query);
      if (delegates === '') throw new NotFoundError('There is no delegate with this public key or username.');
      return { delegates: ReadyJson.list(delegates), success: true };
    };
  }

  @Get('fee')
  @Answers(DelegateFeeResponseDto, {
    summary: 'Fee of a delegate registration, and the delegate that registered most recently',
    finds: 'delegate',
  })
  getFee() {
    return async ({ head, constants }: ChainView) => {
      const newest = await this.delegates.findNewest(head);
      if (newest === '') throw new NotFoundError('No delegate has been registered.');
      const fee = constants.staticFees.delegateRegistration;
      return { fee, delegate: new ReadyJson(newest), success: true };
    };
  }

  @Get('count')
  @Answers(DelegateCountResponseDto, { summary: 'Number of delegates' })
  countDelegates() {
    return ({ head }: ChainView) => ({ count: head.delegateCount, success: true });
  }

  @Get('forging/getForgedByAccount')
  @Answers(ForgedResponseDto, { summary: 'What a delegate has forged', finds: 'delegate' })
  getForged(@Query() { generatorPublicKey }: ForgedQueryDto) {
    return async ({ head }: ChainView) => {
      const totals = await this.delegates.findForged(head, generatorPublicKey);
      if (!totals) throw new NotFoundError(NO_DELEGATE_WITH_KEY);
      return { ...totals, forged: totals.fees + totals.rewards, success: true };
    };
  }

  @Get('search')
  @Answers(DelegateSearchResponseDto, { summary: 'Delegates whose username contains a text' })
  searchDelegates(@Query() { q, limit, offset }: DelegateSearchQueryDto) {
    return async ({ head }: ChainView) => {
      const delegates = await this.delegates.searchDelegates(head, q, limit, offset);
      return { success: true, delegates: ReadyJson.list(delegates) };
    };
  }

  /** Throws as `assertReachesCursor` and `assertKeepsCursor` do. */
  @Get(':delegate/blocks')
  @Answers(ForgedBlocksResponseDto, {
    summary: 'Blocks that a delegate forged, newest first',
    finds: 'delegate',
    isPaged: true,
    needsListIndexes: true,
  })
  listForged(@Param() { delegate }: DelegatePathDto, @Query() { cursor, limit }: ForgedBlocksQueryDto) {
    return async ({ head }: ChainView) => {
      if (cursor) assertReachesCursor(head, cursor);
      const below = cursor?.height ?? ABOVE_ALL_HEIGHTS;
      const listed = await this.blocks.listForged(head, delegateNamed(delegate), below, limit);
      if (!listed) throw new NotFoundError(NO_DELEGATE);
      const { blocks, next, blockIdBelow } = listed;
      if (cursor) assertKeepsCursor(cursor, blockIdBelow);
      return { blocks: ReadyJson.list(blocks), nextCursor: next && writeBlockCursor(next), success: true };
    };
  }

  @Get('getNextForgers')
  @Answers(NextForgersResponseDto, { summary: 'Forgers of the next slots' })
  getNextForgers(@Query() query: NextForgersQueryDto) {
    return (chain: ChainView) => this.nextForgers.getNextForgers(chain, query);
  }
}
