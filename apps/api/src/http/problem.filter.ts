import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '../operations/logger.js';
import { problemOf, type Problem } from './problem.js';
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
    const { id, url } = reply.request;
    this.responder.sendProblem(reply, this.explain(error, url, id));
  }

  /** What the client is told; what is our own fault is logged. */
  explain(error: unknown, url: string, requestId: string): Problem {
    const problem = problemOf(error);
    if (problem.status === 500) this.logger.error({ err: error, url, requestId }, 'a request failed');
    return problem;
  }
}
