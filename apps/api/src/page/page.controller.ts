import { Controller, Get, Inject, Param, Query, Req, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Elsewhere, newAddressOf, PAGES, renderPage, type Shown, type WebAssets } from '@roundhouse/web';
import type { FastifyRequest } from 'fastify';
import { made, type MakeContent, type Writing } from '../answers/answer-request.js';
import { CursorPassedError } from '../answers/errors.js';
import { Kept } from '../answers/kept.decorator.js';
import { HTML_TYPE } from '../answers/headers.js';
import type { GivenParameters } from '@roundhouse/dto';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { OwnAnswers } from './own-answers.service.js';
import { pageHeaders, WEB_ASSETS } from './page-files.js';
import { Renderings } from './renderings.service.js';
import { TroubleFilter } from './trouble.filter.js';

const BY_PATH = new Map(PAGES.map((page) => [page.path, page]));

/** Of several values, the last one counts. */
const lastOf = (given: GivenParameters): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value].flat().at(-1) ?? '']));

/** The pages. Like all answers, each is made once per head and kept as bytes. */
@Controller()
@UseFilters(TroubleFilter)
export class PageController {
  private readonly writing: Writing<Shown>;

  constructor(
    private readonly answers: OwnAnswers,
    private readonly renderings: Renderings,
    @Inject(WEB_ASSETS) assets: WebAssets,
  ) {
    this.writing = {
      contentType: HTML_TYPE,
      headers: pageHeaders(assets),
      write: (shown) => renderPage(assets.frame, shown),
    };
  }

  @Get([...BY_PATH.keys()])
  @ApiExcludeEndpoint()
  @Kept({ followsSource: true })
  show(
    @Req() { route }: FastifyRequest,
    @Param() { name = '' }: GivenParameters,
    @Query() given: GivenParameters,
  ): MakeContent<Shown> {
    const query = lastOf(given);
    const page = BY_PATH.get(route.url!)!;
    const moved = page.path === '/' ? newAddressOf(query) : null;
    if (moved !== null) throw new Elsewhere(moved, true);
    const asked = page.asked(String(name), query);
    const shown = async (chain: ChainView): Promise<Shown> =>
      page.show(this.answers.at(chain), asked).catch((error: unknown) => {
        // A fork has undone where the page before ended: show the first page.
        if (error instanceof CursorPassedError) throw new Elsewhere(asked.to({ cursor: '' }));
        throw error;
      });
    // A text or a place in a list is rarely asked for twice.
    const isRare = page.isRare || ['q', 'offset', 'cursor'].some((key) => asked.query[key]);
    const how = { key: asked.address, writing: this.writing, isKept: isRare ? 'ifShared' : true } as const;
    // The overview is made once per head, no matter how many other pages are requested.
    if (page.path === '/') return made(how, shown);
    return made({ ...how, places: 'pages' }, (chain) => this.renderings.inTurn(() => shown(chain)));
  }
}
