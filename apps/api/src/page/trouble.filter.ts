import { Catch, Inject } from '@nestjs/common';
import { renderTrouble, type WebAssets } from '@roundhouse/web';
import type { FastifyRequest } from 'fastify';
import { Own } from '../answers/foreign-parts.js';
import { HTML_TYPE } from '../answers/headers.js';
import { refusalOf, type Refusal } from '../http/problem.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { pageHeaders, WEB_ASSETS } from './page-files.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This address is not valid',
  404: 'Not found',
  503: 'Nothing to show yet',
};

/** Tells people what `ProblemFilter` tells programs. */
@Catch()
@Own()
export class TroubleFilter extends ProblemFilter {
  @Inject(WEB_ASSETS) private readonly assets: WebAssets;

  protected override refusalOf(error: unknown, request: FastifyRequest): Refusal {
    const problem = this.explain(error, request);
    const page = renderTrouble(this.assets.frame, {
      title: TITLES[problem.status] ?? 'Something went wrong',
      sentence: problem.error,
      isPassing: problem.status === 503,
    });
    const { headers, ...refusal } = refusalOf(problem, page, HTML_TYPE);
    return { ...refusal, headers: { ...headers, ...pageHeaders(this.assets) } };
  }
}
