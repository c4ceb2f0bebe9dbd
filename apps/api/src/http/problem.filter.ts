import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { takeOver, type Exchange } from './exchange.js';
import { problemOf, type Problem } from './problem.js';
import { Responder } from './responder.service.js';

/** Turns every error into an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly responder: Responder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const exchange = takeOver(host.switchToHttp().getResponse<FastifyReply>());
    this.responder.sendProblem(exchange, this.explain(error, exchange));
  }

  /** Determines what the client is told. Logs the error if it is our own fault. */
  explain(error: unknown, { request, id }: Exchange): Problem {
    const problem = problemOf(error);
    if (problem.status === 500)
      this.logger.error({ err: error, url: request.url, requestId: id }, 'a request failed');
    return problem;
  }
}
