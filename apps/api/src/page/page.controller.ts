import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import {
  readLocation,
  renderPage,
  writeLocation,
  type PageLocation,
  type ServedState,
  type WebAssets,
} from '@roundhouse/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptanceOf } from '../answers/acceptance.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import { HTML_TYPE } from '../answers/answer-headers.js';
import { inPlaces, type Writing } from '../answers/answer-request.js';
import type { AnswerForm } from '../answers/answer.js';
import { AnswersService } from '../answers/answers.service.js';
import type { ChainView } from '../chain/chain-view.js';
import { exchangeOf, takeOver } from '../http/exchange.js';
import { Responder } from '../http/responder.service.js';
import { pageHeaders, WEB_ASSETS } from './page-headers.js';
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
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly responder: Responder,
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
  async show(@Req() fastifyRequest: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const exchange = exchangeOf(fastifyRequest);
    const { target, request } = exchange;
    const location = readLocation({ getAll: (name) => target!.query.get(name) ?? [] });
    const address = writeLocation(location);
    const key = `page ${address}`;
    const state = (chain: ChainView): Promise<ServedState> => this.page.stateAt(location, chain);
    // A page has no list that is streamed.
    const form = (await this.answers.get(
      {
        key,
        route: '/',
        writing: this.writing,
        // The page without parameters is made once per head, no matter how many other pages are requested.
        makeContent:
          address === '/' ? state : inPlaces('pages', (chain) => this.renderings.inTurn(() => state(chain))),
        followsSource: true,
        isKept: !isRare(location),
      },
      acceptanceOf(request.headers['accept-encoding']),
      exchange,
    )) as AnswerForm;
    this.cache.noteSent(key, request.url!);
    this.responder.sendAnswer(takeOver(reply), form);
  }
}
