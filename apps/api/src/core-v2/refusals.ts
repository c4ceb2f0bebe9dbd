import { Catch } from '@nestjs/common';
import { CoreRefusal } from '@roundhouse/dto/core-v2';
import { NoDetailsError, QueryTooLongError, RefusedByNodeError } from '@roundhouse/readers';
import type { FastifyRequest } from 'fastify';
import { CrowdedError } from '../answers/errors.js';
import { Own } from '../answers/foreign-parts.js';
import { httpError } from '../core-v1/refusals.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { problemWithStatus, type Problem, type Refusal } from '../http/problem.js';

/** What a node answers to those that it cannot let wait, and to those that ask too often. */
export const TOO_MANY: Problem = { status: 429, error: 'Too Many Requests' };

const TOO_LONG =
  'This list takes too long to be read: ask for other criteria, another order, or an earlier page if there is one.';

/** Errors as a node of version 3 tells them. Where its database or JavaScript failed, the request is refused. */
@Catch()
@Own()
export class CoreFilter extends ProblemFilter {
  protected override refusalOf(error: unknown, request: FastifyRequest): Refusal {
    if (error instanceof CoreRefusal)
      return httpError({ status: error.status, error: error.message }, error.more);
    if (error instanceof CrowdedError) return httpError({ ...problemWithStatus(503), ...TOO_MANY });
    if (error instanceof RefusedByNodeError) return httpError({ status: 422, error: error.message });
    if (error instanceof NoDetailsError) return httpError({ status: 503, error: error.message });
    // Not 422: by this status, programs of both versions tell a node of Core 2.
    if (error instanceof QueryTooLongError) return httpError({ ...TOO_MANY, error: TOO_LONG });
    return httpError(this.explain(error, request));
  }
}
