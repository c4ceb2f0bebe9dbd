import { Injectable } from '@nestjs/common';
import { BlockQueryDto, parseQuery } from '@roundhouse/dto';
import {
  delegateView,
  parseAnswer,
  VOTERS_TO_READ,
  type BlockView,
  type DelegateView,
  type PageLocation,
  type PageState,
  type View,
} from '@roundhouse/web';
import { BlocksService } from '../blocks/blocks.service.js';
import type { ChainView } from '../chain/chain-view.js';
import { OncePerBasis } from '../chain/once-per-basis.js';
import { DelegatesService } from '../delegates/delegates.service.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { StatusService } from '../status/status.service.js';

type Status = PageState['status'];

/**
 * Gets what the page shows, all of one head, from the services that make the documented answers. PostgreSQL writes
 * their lists as JSON; only the lists are parsed.
 */
@Injectable()
export class PageService {
  /** Kept once per basis: parsing thousands of delegates takes longer than rendering the few that a search finds. */
  private readonly statuses = new OncePerBasis<Status>();

  constructor(
    private readonly status: StatusService,
    private readonly blocks: BlocksService,
    private readonly delegates: DelegatesService,
  ) {}

  /** Throws `NotFoundError` and `InvalidRequestError` as the documented answers do. */
  async stateAt(location: PageLocation, chain: ChainView): Promise<PageState> {
    const status = await this.statuses.get(chain, () => this.statusAt(chain));
    // A page that is kept for many readers cannot say how long ago something happened.
    return { status, view: await this.viewAt(location, chain, status), now: null };
  }

  private async statusAt(chain: ChainView): Promise<Status> {
    const { delegates, blocks, ...fields } = await this.status.getStatus(chain);
    return { ...fields, delegates: parseAnswer(delegates.text), blocks: parseAnswer(blocks.text) };
  }

  private async viewAt(location: PageLocation, chain: ChainView, status: Status): Promise<View> {
    switch (location.view) {
      case 'overview':
        return { kind: 'overview', list: location.list };
      case 'block': {
        const query = parseQuery(BlockQueryDto, new Map([['id', [location.id]]]));
        const { block } = await this.blocks.getBlock(chain, query);
        return { kind: 'block', block: parseAnswer<BlockView['block']>(block.text), isUndone: false };
      }
      case 'delegate':
        return this.delegateAt(location, chain, status);
    }
  }

  private async delegateAt(
    { username, offset }: Extract<PageLocation, { readonly view: 'delegate' }>,
    chain: ChainView,
    { delegates }: Status,
  ): Promise<View> {
    const delegate = delegates.find((each) => each.username === username);
    if (!delegate) throw new NotFoundError('There is no delegate of this name.');
    const query = { publicKey: delegate.publicKey, limit: VOTERS_TO_READ, offset };
    const { accounts } = await this.delegates.getPageOfVoters(chain, query);
    return delegateView(delegate, parseAnswer<DelegateView['voters']>(accounts.text), offset);
  }
}
