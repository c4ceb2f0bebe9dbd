import { Controller, Get, Inject, Query, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import {
  readLocation,
  renderPage,
  writeLocation,
  type PageLocation,
  type ServedState,
  type WebAssets,
} from '@roundhouse/web';
import { made, type MakeContent, type Writing } from '../answers/answer-request.js';
import { Kept } from '../answers/kept.decorator.js';
import { HTML_TYPE } from '../answers/headers.js';
import type { GivenParameters } from '../answers/parameters.pipe.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { pageHeaders, WEB_ASSETS } from './page-files.js';
import { PageService } from './page.service.js';
import { Renderings } from './renderings.service.js';
import { TroubleFilter } from './trouble.filter.js';

/** Pages with countless variants that are rarely requested twice. */
const isRare = (location: PageLocation): boolean =>
  location.view === 'account' ||
  location.view === 'transaction' ||
  (location.view === 'block' && location.cursor !== '') ||
  (location.view === 'overview' && (location.list.search !== '' || location.list.offset > 0));

/** The status page. Like all answers, it is made once per head and kept as bytes. */
@Controller()
@UseFilters(TroubleFilter)
export class PageController {
  private readonly writing: Writing<ServedState>;

  constructor(
    private readonly page: PageService,
    private readonly renderings: Renderings,
    @Inject(WEB_ASSETS) assets: WebAssets,
  ) {
    this.writing = {
      contentType: HTML_TYPE,
      headers: pageHeaders(assets),
      write: (state) => renderPage(assets.frame, state),
    };
  }

  @Get()
  @ApiExcludeEndpoint()
  @Kept({ followsSource: true })
  show(@Query() query: GivenParameters): MakeContent<ServedState> {
    const location = readLocation({ getAll: (name) => [query[name] ?? []].flat() });
    const address = writeLocation(location);
    const state = (chain: ChainView): Promise<ServedState> => this.page.stateAt(location, chain);
    const how = { key: address, writing: this.writing, isKept: !isRare(location) };
    // The page without parameters is made once per head, no matter how many other pages are requested.
    if (address === '/') return made(how, state);
    return made({ ...how, places: 'pages' }, (chain) => this.renderings.inTurn(() => state(chain)));
  }
}
