import { Injectable } from '@nestjs/common';
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
import { DelegatesReader } from '@roundhouse/storage';
import type { ChainView } from '../chain/chain-view.js';
import { NotFoundError } from '../answers/not-found.error.js';

const NO_DELEGATE_WITH_KEY = 'There is no delegate with this public key.';

@Injectable()
export class DelegatesService {
  constructor(private readonly delegates: DelegatesReader) {}

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

  async getVoters({ head }: ChainView, query: VotersQueryDto): Promise<VotersResponseDto> {
    const { publicKey, limit = null, offset } = query;
    const accounts = await this.delegates.findVoters(head, publicKey, limit, offset);
    if (accounts === null) throw new NotFoundError(NO_DELEGATE_WITH_KEY);
    return { accounts: ReadyJson.list(accounts), success: true };
  }

  async getForged({ head }: ChainView, { generatorPublicKey }: ForgedQueryDto): Promise<ForgedResponseDto> {
    const totals = await this.delegates.findForged(head, generatorPublicKey);
    if (!totals) throw new NotFoundError(NO_DELEGATE_WITH_KEY);
    const { fees, rewards } = totals;
    return { fees, rewards, forged: fees + rewards, success: true };
  }
}
