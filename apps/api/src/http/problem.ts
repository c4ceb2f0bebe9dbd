import { HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { InvalidRequestError, writeAnswer, ErrorResponseDto } from '@roundhouse/dto';
import { DatabaseUnavailableError, NoDetailsError, NoHistoryError } from '@roundhouse/readers';
import { JSON_TYPE, type Headers } from '../answers/headers.js';
import { CursorPassedError, NotFoundError, NotReadyError } from '../answers/errors.js';

/** An error answer in the contract's shape. */
export interface Problem {
  readonly status: number;
  /** One plain sentence that reveals nothing internal. */
  readonly error: string;
  readonly headers?: Headers;
}

/** A whole response that needs no answer to be made. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if there is none. */
  readonly body: string | Buffer;
}

export const METHODS = 'GET, HEAD, OPTIONS';

/** By status. For errors of the framework too, whose own messages may reveal internals. */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [400, 'The request cannot be understood.'],
  [403, 'This path is not served.'],
  [404, 'There is nothing at this path.'],
  [405, 'This path answers GET, HEAD and OPTIONS only.'],
  [408, 'The request took too long to arrive.'],
  [412, 'The file does not meet the conditions of the request.'],
  [413, 'The request is too large.'],
  [414, 'The URL is too long.'],
  [416, 'The file has no such range.'],
  [429, 'Too many requests from this address; try again later.'],
  [431, 'The headers of the request are too large.'],
  [500, 'The server failed to answer; the failure has been logged.'],
  [503, 'The server cannot answer just now; try again in a moment.'],
]);

const HEADERS: Readonly<Record<number, Headers>> = { 405: { allow: METHODS }, 503: { 'retry-after': '1' } };

/** The usual problem with this status. One that has no sentence is the server's fault. */
export const problemWithStatus = (status: number, headers = HEADERS[status]): Problem => {
  const error = SENTENCES.get(status);
  return error === undefined ? problemWithStatus(500) : { status, error, headers };
};

/** Somebody's guard or pipe says it. Nest's own 404 repeats the path, and the errors of Fastify are of the base class. */
const isSaidToClients = (error: unknown): error is HttpException =>
  error instanceof HttpException &&
  error.constructor !== HttpException &&
  error.getStatus() < 500 &&
  error.getStatus() !== 404;

/** What the client is told about an error. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof InvalidRequestError) return { status: 400, error: error.message };
  if (error instanceof NotFoundError) return { status: 404, error: error.message };
  if (error instanceof CursorPassedError) return { status: 409, error: error.message };
  if (error instanceof NoHistoryError) return { status: 501, error: error.message };
  if (error instanceof NoDetailsError) return { status: 503, error: error.message };
  if (error instanceof NotReadyError) return { ...problemWithStatus(503), error: error.message };
  if (error instanceof DatabaseUnavailableError) return problemWithStatus(503);
  if (isSaidToClients(error)) return { status: error.getStatus(), error: error.message };
  const { status, statusCode = 500 } = (error ?? {}) as { status?: number; statusCode?: number };
  return problemWithStatus(status ?? statusCode);
};

const bodyOf = ({ error }: Problem): string => writeAnswer(ErrorResponseDto, { success: false, error });

/** The problem as a response, in the contract's shape unless there is another body. */
export const refusalOf = (problem: Problem, body = bodyOf(problem), contentType = JSON_TYPE): Refusal => ({
  status: problem.status,
  headers: { 'content-type': contentType, 'cache-control': 'no-store', ...problem.headers },
  body,
});

/** Of an answer that was begun, before it failed. */
const OF_ANSWER = ['etag', 'content-encoding', 'content-length', 'vary', 'api-version'];

export const send = (reply: FastifyReply, { status, headers, body }: Refusal): void => {
  for (const name of OF_ANSWER) reply.removeHeader(name);
  void reply
    .code(status)
    .headers(headers)
    .send(body.length > 0 ? body : undefined);
};
