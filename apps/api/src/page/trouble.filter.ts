import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import { renderTrouble, type WebAssets } from '@roundhouse/web';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { takeOver } from '../http/exchange.js';
import { problemOf } from '../http/problem.js';
import { Responder } from '../http/responder.service.js';
import { pageHeaders, WEB_ASSETS } from './page-headers.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This address is not valid',
  404: 'Not found',
  503: 'Nothing to show yet',
};

/** Tells people what `ProblemFilter` tells programs. */
@Catch()
export class TroubleFilter implements ExceptionFilter {
  constructor(
    private readonly responder: Responder,
    @Inject(WEB_ASSETS) private readonly assets: WebAssets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const exchange = takeOver(host.switchToHttp().getResponse<FastifyReply>());
    const { request, id } = exchange;
    const problem = problemOf(error);
    if (problem.status === 500)
      this.logger.error({ err: error, url: request.url, requestId: id }, 'a request failed');
    const page = renderTrouble(this.assets.frame, {
      title: TITLES[problem.status] ?? 'Something went wrong',
      sentence: problem.error,
      isPassing: problem.status === 503,
    });
    this.responder.sendProblemPage(exchange, problem, Buffer.from(page), pageHeaders(this.assets));
  }
}
