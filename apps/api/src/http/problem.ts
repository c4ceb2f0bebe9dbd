import { HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { InvalidRequestError, writeAnswer, ErrorResponseDto } from '@roundhouse/dto';
import { DatabaseUnavailableError, NoHistoryError } from '@roundhouse/readers';
import { JSON_TYPE, type Headers } from '../answers/headers.js';
import { NotFoundError } from '../answers/not-found.error.js';
import { CursorPassedError } from '../answers/cursor-passed.error.js';
import { NotReadyError } from '../chain/not-ready.error.js';

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

const RETRY_SOON: Headers = { 'retry-after': '1' };

export const METHODS = 'GET, HEAD, OPTIONS';

export const MALFORMED_URL: Problem = {
  status: 400,
  error: 'The URL has a broken percent-encoding or a NUL character.',
};

export const UNKNOWN_PATH: Problem = { status: 404, error: 'There is nothing at this path.' };

export const METHOD_NOT_ALLOWED: Problem = {
  status: 405,
  error: 'This path answers GET, HEAD and OPTIONS only.',
  headers: { allow: METHODS },
};

export const URI_TOO_LONG: Problem = { status: 414, error: 'The URL is too long.' };

export const SERVER_FAULT: Problem = {
  status: 500,
  error: 'The server failed to answer; the failure has been logged.',
};

/** For errors of the framework, whose own messages may reveal internals. */
const BY_STATUS: Readonly<Record<number, Problem>> = {
  400: { status: 400, error: 'The request cannot be understood.' },
  403: { status: 403, error: 'This path is not served.' },
  404: UNKNOWN_PATH,
  405: METHOD_NOT_ALLOWED,
  408: { status: 408, error: 'The request took too long to arrive.' },
  412: { status: 412, error: 'The file does not meet the conditions of the request.' },
  413: { status: 413, error: 'The request is too large.' },
  414: URI_TOO_LONG,
  416: { status: 416, error: 'The file has no such range.' },
  431: { status: 431, error: 'The headers of the request are too large.' },
  503: {
    status: 503,
    error: 'The server cannot answer just now; try again in a moment.',
    headers: RETRY_SOON,
  },
};

export const problemWithStatus = (status: number): Problem => BY_STATUS[status] ?? SERVER_FAULT;

export const tooManyRequests = (retryAfterSeconds: number): Problem => ({
  status: 429,
  error: 'Too many requests from this address; try again later.',
  headers: { 'retry-after': String(retryAfterSeconds) },
});

const statusOf = (error: unknown): number => {
  const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown };
  const code = status ?? statusCode;
  return typeof code === 'number' ? code : 500;
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
  if (error instanceof NotReadyError) return { status: 503, error: error.message, headers: RETRY_SOON };
  if (error instanceof DatabaseUnavailableError) return problemWithStatus(503);
  if (isSaidToClients(error)) return { status: error.getStatus(), error: error.message };
  return problemWithStatus(statusOf(error));
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
