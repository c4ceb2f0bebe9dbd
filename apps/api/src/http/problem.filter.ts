import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '../operations/logger.js';
import { problemOf } from './problem.js';
import { Responder } from './responder.service.js';

/** The one place where an error becomes an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly responder: Responder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = problemOf(error);
    const { id, url } = reply.request;
    if (problem.status === 500) this.logger.error({ err: error, url, requestId: id }, 'a request failed');
    this.responder.sendProblem(reply, problem);
  }
}
