import { Inject, Injectable } from '@nestjs/common';
import {
  ReadyJson,
  type DelegateFeeResponseDto,
  type DelegateQueryDto,
  type DelegateSearchQueryDto,
  type DelegateSearchResponseDto,
  type DelegatesQueryDto,
  type DelegatesResponseDto,
  type ForgedQueryDto,
  type ForgedResponseDto,
  type VotersQueryDto,
  type VotersResponseDto,
} from '@roundhouse/dto';
import { DelegatesReader, RowStreams, streamVoters } from '@roundhouse/readers';
import { LargeContent } from '../answers/large-content.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import type { ChainView } from '../chain/chain-view.js';

const NO_DELEGATE_WITH_KEY = 'There is no delegate with this public key.';

@Injectable()
export class DelegatesService {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly delegates: DelegatesReader,
    private readonly streams: RowStreams,
  ) {}

  async listDelegates(chain: ChainView, query: DelegatesQueryDto): Promise<DelegatesResponseDto> {
    const { column, direction } = query.orderBy;
    const limit = query.limit ?? chain.constants.activeDelegates;
    const delegates = await this.delegates.listDelegates(chain.head, column, direction, limit, query.offset);
    return { delegates: ReadyJson.list(delegates), success: true };
  }

  async getDelegates({ head }: ChainView, query: DelegateQueryDto): Promise<DelegatesResponseDto> {
    const delegates = await this.delegates.listMatching(head, query.publicKey, query.username);
    if (delegates === '') throw new NotFoundError('There is no delegate with this public key or username.');
    return { delegates: ReadyJson.list(delegates), success: true };
  }

  async searchDelegates(
    { head }: ChainView,
    { q, limit, offset }: DelegateSearchQueryDto,
  ): Promise<DelegateSearchResponseDto> {
    const delegates = await this.delegates.searchDelegates(head, q, limit, offset);
    return { success: true, delegates: ReadyJson.list(delegates) };
  }

  async getFee({ head, constants }: ChainView): Promise<DelegateFeeResponseDto> {
    const newest = await this.delegates.findNewest(head);
    if (newest === '') throw new NotFoundError('No delegate has been registered.');
    const fee = constants.staticFees.delegateRegistration;
    return { fee, delegate: new ReadyJson(newest), success: true };
  }

  async getVoters(
    { head }: ChainView,
    query: VotersQueryDto,
    streamFrom = this.settings.STREAM_FROM_VOTERS,
  ): Promise<VotersResponseDto | LargeContent<VotersResponseDto>> {
    const { publicKey, offset } = query;
    const limit = query.limit ?? null;
    const found = await this.delegates.findVoters(head, publicKey, limit, offset, streamFrom - 1);
    const contentWith = (accounts: ReadyJson): VotersResponseDto => ({ accounts, success: true });
    switch (found.kind) {
      case 'no delegate':
        throw new NotFoundError(NO_DELEGATE_WITH_KEY);
      case 'listed':
        return contentWith(ReadyJson.list(found.voters));
      case 'large':
        return new LargeContent(contentWith, () =>
          streamVoters(this.streams, head, publicKey, limit, offset),
        );
    }
  }

  /** The same, but never streamed. */
  async getPageOfVoters(
    chain: ChainView,
    query: VotersQueryDto & { readonly limit: number },
  ): Promise<VotersResponseDto> {
    return (await this.getVoters(chain, query, query.limit + 1)) as VotersResponseDto;
  }

  async getForged({ head }: ChainView, { generatorPublicKey }: ForgedQueryDto): Promise<ForgedResponseDto> {
    const totals = await this.delegates.findForged(head, generatorPublicKey);
    if (!totals) throw new NotFoundError(NO_DELEGATE_WITH_KEY);
    const { fees, rewards } = totals;
    return { fees, rewards, forged: fees + rewards, success: true };
  }
}
