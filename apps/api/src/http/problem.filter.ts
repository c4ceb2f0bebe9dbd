import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Own } from '../answers/foreign-parts.js';
import { problemOf, refusalOf, send, type Problem, type Refusal } from './problem.js';

/** Turns every error into a response. A module whose errors look different extends it. */
@Catch()
@Own()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    send(reply, this.refusalOf(error, reply.request));
  }

  protected refusalOf(error: unknown, request: FastifyRequest): Refusal {
    return refusalOf(this.explain(error, request));
  }

  /** What the client is told. Logs the error if it is our own fault. */
  protected explain(error: unknown, { originalUrl: url, id: requestId }: FastifyRequest): Problem {
    const problem = problemOf(error);
    if (problem.status === 500) this.logger.error({ err: error, url, requestId }, 'a request failed');
    return problem;
  }
}
