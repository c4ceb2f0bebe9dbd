import { Catch, Inject } from '@nestjs/common';
import { Elsewhere, NothingHere, renderTrouble, type WebAssets } from '@roundhouse/web';
import type { FastifyRequest } from 'fastify';
import { NotFoundError } from '../answers/errors.js';
import { Own } from '../answers/foreign-parts.js';
import { HTML_TYPE } from '../answers/headers.js';
import type { Door } from '../http/door.service.js';
import { problemWithStatus, refusalOf, type Problem, type Refusal } from '../http/problem.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { CONTRACT } from '../http/way.js';
import { pageHeaders, WEB_ASSETS } from './page-files.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This address is not valid',
  404: 'Not found',
  503: 'Nothing to show yet',
};

/** The problem as a page, with the search in its header. */
const troublePage = (assets: WebAssets, problem: Problem): Refusal => {
  const page = renderTrouble(assets.frame, {
    title: TITLES[problem.status] ?? 'Something went wrong',
    sentence: problem.error,
    isPassing: problem.status === 503,
  });
  const { headers, ...refusal } = refusalOf(problem, page, HTML_TYPE);
  return { ...refusal, headers: { ...headers, ...pageHeaders(assets) } };
};

/** Whether a browser asks for a page, not for a part of the API. */
const asksForPage = ({ headers: { accept = '' }, originalUrl, way }: FastifyRequest): boolean =>
  way === CONTRACT && accept.includes('text/html') && !/^\/api(?:[/?#]|$)/i.test(originalUrl);

/** Tells people with a page that there is nothing at a path. */
export const tellPeople = (door: Door, assets: WebAssets): void => {
  door.refusalFor = (request, refusal) =>
    refusal.status === 404 && asksForPage(request) ? troublePage(assets, problemWithStatus(404)) : refusal;
};

/** Tells people what `ProblemFilter` tells programs, and where a page is that they look for elsewhere. */
@Catch()
@Own()
export class TroubleFilter extends ProblemFilter {
  @Inject(WEB_ASSETS) private readonly assets: WebAssets;

  protected override refusalOf(error: unknown, request: FastifyRequest): Refusal {
    if (error instanceof Elsewhere) {
      const { address, isForever } = error;
      return {
        status: isForever ? 308 : 302,
        headers: { location: address, 'cache-control': 'no-store' },
        body: '',
      };
    }
    const told = error instanceof NothingHere ? new NotFoundError(error.message) : error;
    return troublePage(this.assets, this.explain(told, request));
  }
}
