import { Controller, Get, Inject, Req, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { readLocation, renderPage, writeLocation, type PageState, type WebAssets } from '@roundhouse/web';
import type { FastifyRequest } from 'fastify';
import { acceptanceOf } from '../answers/acceptance.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import type { AnswerForm } from '../answers/answer-form.js';
import type { Writing } from '../answers/answer-request.js';
import { AnswersService } from '../answers/answers.service.js';
import { HTML_TYPE } from '../http/headers.js';
import { pageHeaders, WEB_ASSETS } from './page-headers.js';
import { PageService } from './page.service.js';
import { TroubleFilter } from './trouble.filter.js';

/** The status page: for each head made once, and kept as bytes as all answers are. */
@Controller()
@UseFilters(TroubleFilter)
export class PageController {
  private readonly writing: Writing<PageState>;

  constructor(
    private readonly page: PageService,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
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
  async show(@Req() { target, raw }: FastifyRequest): Promise<AnswerForm> {
    const pairs = [...target!.query].flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const location = readLocation(new URLSearchParams(pairs));
    const key = `page ${writeLocation(location)}`;
    const form = await this.answers.get(
      {
        key,
        route: '/',
        writing: this.writing,
        recipe: (chain) => this.page.stateAt(location, chain),
        followsSource: true,
      },
      acceptanceOf(raw.headers['accept-encoding']),
    );
    this.cache.noteSent(key, raw.url!);
    return form;
  }
}
