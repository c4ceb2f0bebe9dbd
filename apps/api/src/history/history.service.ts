import { Inject, Injectable } from '@nestjs/common';
import { addressOf } from '@roundhouse/chain';
import {
  isPublicKey,
  ReadyJson,
  writeAccountChangeCursor,
  type AccountChangesQueryDto,
  type AccountChangesResponseDto,
  type DelegateRoundsQueryDto,
  type DelegateRoundsResponseDto,
  type PastAccountQueryDto,
  type PastAccountResponseDto,
  type PastDelegatesResponseDto,
  type PastSupplyResponseDto,
  type PastVotersQueryDto,
  type PastVotersResponseDto,
} from '@roundhouse/dto';
import {
  ABOVE_ALL_HEIGHTS,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  RowStreams,
  streamPastDelegates,
  streamPastVoters,
} from '@roundhouse/readers';
import { assertKeepsCursor, assertReachesCursor } from '../answers/assert-cursor.js';
import { LargeContent } from '../answers/large-content.js';
import type { LastingContent } from '../answers/lasting-content.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import type { ChainView } from '../chain/chain-view.js';
import { assertReached, contentAt, delegateNamed, NO_DELEGATE_THEN } from './past-heights.js';

type PastContent<T extends object> = T | LargeContent<T> | LastingContent<T>;

/** Every method throws `NoHistoryError`, and `NotFoundError` for a height above the head. */
@Injectable()
export class HistoryService {
  /** A longer list is streamed. */
  private readonly mostListed: number;

  constructor(
    @Inject(SETTINGS) { STREAM_FROM_VOTERS }: ApiSettings,
    private readonly accounts: HistoryAccountsReader,
    private readonly delegates: HistoryDelegatesReader,
    private readonly streams: RowStreams,
  ) {
    this.mostListed = STREAM_FROM_VOTERS - 1;
  }

  async getSupply(chain: ChainView, height: number): Promise<PastContent<PastSupplyResponseDto>> {
    await assertReached(this.accounts, chain, height);
    const { found: supply, lowestHead } = await this.delegates.getSupply(chain.head, height);
    return contentAt(height, lowestHead, { height, supply, success: true as const });
  }

  async getAccount(
    chain: ChainView,
    { address, height }: PastAccountQueryDto,
  ): Promise<PastContent<PastAccountResponseDto>> {
    await assertReached(this.accounts, chain, height);
    const named = addressNamed(chain, address);
    const { found, lowestHead } = await this.accounts.findAccount(chain.head, named, height);
    if (!found)
      throw new NotFoundError('There was no account with this address or public key at this height.');
    return contentAt(height, lowestHead, { height, account: found, success: true as const });
  }

  /** Throws as `assertReachesCursor` and `assertKeepsCursor` do. */
  async listChanges(
    chain: ChainView,
    { address, cursor, limit }: AccountChangesQueryDto,
  ): Promise<AccountChangesResponseDto> {
    const { head } = chain;
    if (cursor) assertReachesCursor(head, cursor);
    const named = addressNamed(chain, address);
    const below = cursor?.height ?? ABOVE_ALL_HEIGHTS;
    const listed = await this.accounts.listChanges(head, named, below, limit);
    if (!listed) throw new NotFoundError('There is no account with this address or public key.');
    const { changes, next, blockIdBelow } = listed;
    if (cursor) assertKeepsCursor(cursor, blockIdBelow);
    return { changes, nextCursor: next && writeAccountChangeCursor(next), success: true };
  }

  async listDelegates(chain: ChainView, height: number): Promise<PastContent<PastDelegatesResponseDto>> {
    await assertReached(this.accounts, chain, height);
    const { head } = chain;
    const { found, lowestHead } = await this.delegates.listDelegates(head, height, this.mostListed);
    const contentWith = (delegates: ReadyJson) => ({ height, delegates, success: true as const });
    const content =
      found === null
        ? new LargeContent(contentWith, () => streamPastDelegates(this.streams, head, height))
        : contentWith(ReadyJson.list(found));
    return contentAt<PastDelegatesResponseDto>(height, lowestHead, content);
  }

  async listVoters(
    chain: ChainView,
    { delegate, height }: PastVotersQueryDto,
  ): Promise<PastContent<PastVotersResponseDto>> {
    await assertReached(this.accounts, chain, height);
    const { head } = chain;
    const listed = await this.delegates.listVoters(head, delegateNamed(delegate), height, this.mostListed);
    if (!listed) throw new NotFoundError(NO_DELEGATE_THEN);
    const { publicKey, voters } = listed.found;
    const contentWith = (accounts: ReadyJson) => ({ height, accounts, success: true as const });
    const content =
      voters === null
        ? new LargeContent(contentWith, () => streamPastVoters(this.streams, head, publicKey, height))
        : contentWith(ReadyJson.list(voters));
    return contentAt<PastVotersResponseDto>(height, listed.lowestHead, content);
  }

  async listRounds(
    { head }: ChainView,
    { delegate, limit }: DelegateRoundsQueryDto,
  ): Promise<DelegateRoundsResponseDto> {
    const rounds = await this.delegates.listRounds(head, delegateNamed(delegate), limit);
    if (!rounds) throw new NotFoundError('There is no delegate with this username or public key.');
    return { rounds, success: true };
  }
}

const addressNamed = ({ network }: ChainView, account: string): string =>
  isPublicKey(account) ? addressOf(account, network.pubKeyHash) : account;
