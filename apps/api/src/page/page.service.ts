import { Injectable } from '@nestjs/common';
import {
  BlockQueryDto,
  BlockResponseDto,
  ChainStatusResponseDto,
  parseQuery,
  VotersResponseDto,
  writeAnswer,
} from '@roundhouse/dto';
import {
  readBlockAnswer,
  readStatus,
  readVotersAnswer,
  VOTERS_PER_PAGE,
  type PageLocation,
  type PageState,
  type Status,
  type View,
} from '@roundhouse/web';
import { BlocksService } from '../blocks/blocks.service.js';
import type { ChainView } from '../chain/chain-view.js';
import { OncePerBasis } from '../chain/once-per-basis.js';
import { DelegatesService } from '../delegates/delegates.service.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { StatusService } from '../status/status.service.js';

/** Gets what the page shows from the documented answers, as a browser does, all of one head. */
@Injectable()
export class PageService {
  /** To read the status of thousands of delegates costs more than to show what was found among them. */
  private readonly statuses = new OncePerBasis<Status>();

  constructor(
    private readonly status: StatusService,
    private readonly blocks: BlocksService,
    private readonly delegates: DelegatesService,
  ) {}

  /** Throws `NotFoundError` and `InvalidRequestError` as those answers do. */
  async stateAt(location: PageLocation, chain: ChainView): Promise<PageState> {
    const status = await this.statuses.get(chain, async () =>
      readStatus(writeAnswer(ChainStatusResponseDto, await this.status.getStatus(chain))),
    );
    // What is kept for many readers must not tell how long ago something was.
    return { status, view: await this.viewAt(location, chain, status), now: null };
  }

  private async viewAt(location: PageLocation, chain: ChainView, status: Status): Promise<View> {
    switch (location.view) {
      case 'overview':
        return { kind: 'overview', list: location.list };
      case 'block': {
        const query = parseQuery(BlockQueryDto, new Map([['id', [location.id]]]));
        const answer = await this.blocks.getBlock(chain, query);
        return {
          kind: 'block',
          block: readBlockAnswer(writeAnswer(BlockResponseDto, answer)),
          isUndone: false,
        };
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
    const query = { publicKey: delegate.publicKey, limit: VOTERS_PER_PAGE + 1, offset };
    const answer = await this.delegates.getVoters(chain, query);
    const voters = readVotersAnswer(writeAnswer(VotersResponseDto, answer));
    return {
      kind: 'delegate',
      delegate,
      voters: voters.slice(0, VOTERS_PER_PAGE),
      offset,
      hasMoreVoters: voters.length > VOTERS_PER_PAGE,
    };
  }
}
