import { STATUS_CODES } from 'node:http';
import { Catch } from '@nestjs/common';
import { NodeRefusal } from '@roundhouse/dto/core-v1';
import { QueryTooLongError } from '@roundhouse/readers';
import type { FastifyRequest } from 'fastify';
import { Own } from '../answers/foreign-parts.js';
import { JSON_TYPE } from '../answers/headers.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { refusalOf, type Problem, type Refusal } from '../http/problem.js';

export const NO_POSTS =
  'This server is an index of the chain and takes no transactions. Post the transaction to a node of this network.';

/** An error in the shape of a node's HTTP server. */
export const httpError = (problem: Problem, more: object = {}): Refusal => {
  const { status: statusCode, error: message } = problem;
  const error = STATUS_CODES[statusCode];
  return refusalOf(problem, JSON.stringify({ statusCode, error, message, ...more }));
};

/** A node also refuses with status 200, and its clients take any other status for a dead node. */
export const reply = (body: object): Refusal => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

const TOO_DEEP = 'This list is too long to be read so far: ask for a smaller offset or with other filters.';

/** Errors as a node tells them. */
@Catch()
@Own()
export class NodeFilter extends ProblemFilter {
  protected override refusalOf(error: unknown, request: FastifyRequest): Refusal {
    if (error instanceof NodeRefusal)
      return reply({ path: error.path, error: error.message, success: false });
    if (error instanceof QueryTooLongError) return reply({ error: TOO_DEEP, success: false });
    const problem = this.explain(error, request);
    return httpError({
      ...problem,
      ...(problem.status === 500 && { error: 'An internal server error occurred' }),
    });
  }
}
