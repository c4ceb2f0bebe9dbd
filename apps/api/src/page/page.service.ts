import { Injectable } from '@nestjs/common';
import { BlockQueryDto, parseQuery, StatusDelegatesQueryDto } from '@roundhouse/dto';
import {
  delegatesQuery,
  delegateView,
  parseAnswer,
  VOTERS_TO_READ,
  type BlockView,
  type DelegateView,
  type OverviewView,
  type PageLocation,
  type PageState,
  type View,
} from '@roundhouse/web';
import { BlocksService } from '../blocks/blocks.service.js';
import type { ChainView } from '../chain/chain-view.js';
import { DelegatesService } from '../delegates/delegates.service.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { StatusService } from '../status/status.service.js';

/** Returns the parameters in the form of a parsed request: each name with a list of values. */
const rawQuery = (query: Readonly<Record<string, string>>) =>
  new Map(Object.entries(query).map(([name, value]) => [name, [value]]));

/**
 * Gets what the page shows, all of one head, from the services that make the documented answers. PostgreSQL writes
 * their lists as JSON; only the lists are parsed.
 */
@Injectable()
export class PageService {
  constructor(
    private readonly status: StatusService,
    private readonly blocks: BlocksService,
    private readonly delegates: DelegatesService,
  ) {}

  /** Throws `NotFoundError` and `InvalidRequestError` as the documented answers do. */
  async stateAt(location: PageLocation, chain: ChainView): Promise<PageState> {
    const [status, view] = await Promise.all([this.statusAt(chain), this.viewAt(location, chain)]);
    // A page that is kept for many readers cannot say how long ago something happened.
    return { status, view, now: null };
  }

  private async statusAt(chain: ChainView): Promise<PageState['status']> {
    const { delegates, blocks, ...fields } = await this.status.getStatus(chain);
    return { ...fields, delegates: parseAnswer(delegates.text), blocks: parseAnswer(blocks.text) };
  }

  private async delegatesAt(
    chain: ChainView,
    query: Readonly<Record<string, string>>,
  ): Promise<Pick<OverviewView, 'delegates' | 'count'>> {
    const parameters = parseQuery(StatusDelegatesQueryDto, rawQuery(query));
    const { delegates, count } = await this.status.listDelegates(chain, parameters);
    return { delegates: parseAnswer(delegates.text), count };
  }

  private async viewAt(location: PageLocation, chain: ChainView): Promise<View> {
    switch (location.view) {
      case 'overview': {
        const { list } = location;
        return { kind: 'overview', list, ...(await this.delegatesAt(chain, delegatesQuery(list))) };
      }
      case 'block':
        return this.blockAt(location.id, chain);
      case 'delegate':
        return this.delegateAt(location, chain);
    }
  }

  private async blockAt(id: string, chain: ChainView): Promise<View> {
    const answer = await this.blocks.getBlock(chain, parseQuery(BlockQueryDto, rawQuery({ id })));
    const block = parseAnswer<BlockView['block']>(answer.block.text);
    const { delegates } = await this.delegatesAt(chain, { publicKey: block.generatorPublicKey });
    return { kind: 'block', block, forger: delegates[0]?.username ?? null, isUndone: false };
  }

  private async delegateAt(
    { username, offset }: Extract<PageLocation, { readonly view: 'delegate' }>,
    chain: ChainView,
  ): Promise<View> {
    const [delegate] = (await this.delegatesAt(chain, { username })).delegates;
    if (!delegate) throw new NotFoundError('There is no delegate of this name.');
    const query = { publicKey: delegate.publicKey, limit: VOTERS_TO_READ, offset };
    const { accounts } = await this.delegates.getPageOfVoters(chain, query);
    return delegateView(delegate, parseAnswer<DelegateView['voters']>(accounts.text), offset);
  }
}
