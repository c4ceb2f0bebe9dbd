import { applyDecorators, Get, SetMetadata } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Writing } from './answer-request.js';
import { describePath, describeQuery, ErrorResponseDto, type DtoClass } from '@roundhouse/dto';

export const ENDPOINT = Symbol('endpoint');

export interface EndpointOptions<T extends object = object> {
  /** One sentence for OpenAPI. */
  readonly summary: string;
  readonly answer: DtoClass<T>;
  /** The parameters of the query, and of the path if it has `:name` segments. */
  readonly query?: DtoClass;
  /** Whether the answer also changes with the node's height, not only with the head. */
  readonly followsSource?: boolean;
  /** What the endpoint looks up, if anything, such as `block`. The documented 404 names it. */
  readonly finds?: string;
  /** Whether a cursor of its pages can be of a block that a fork has undone. */
  readonly isPaged?: boolean;
  /** Whether it asks for history, which an index may not keep. */
  readonly needsHistory?: boolean;
  /** False if an answer costs too much to be made before it is requested. */
  readonly isRenewed?: boolean;
  /** How the answer to these parameters is written. (Default: as JSON) */
  readonly writingFor?: (parameters: never) => Writing<T>;
}

const API_VERSION = {
  name: 'API-Version',
  required: false,
  description: 'The version of the contract: 1, also when absent.',
  schema: { type: 'string', enum: ['1'] },
};

const REQUEST_ID = {
  name: 'X-Request-Id',
  required: false,
  description:
    'An id for the log lines of this request: 1 to 128 letters, digits, dots, underscores, hyphens.',
  schema: { type: 'string' },
};

const ANSWER_HEADERS = {
  'X-Chain-Height': {
    description: 'The height of the head that the whole answer is about.',
    schema: { type: 'integer' },
  },
  'X-Indexed-At': {
    description:
      'When the block at that height was indexed. An old time means that the indexer stands still.',
    schema: { type: 'string', format: 'date-time' },
  },
  'X-Request-Id': {
    description: 'The id of the request: the one that it sent, or a new one.',
    schema: { type: 'string' },
  },
  ETag: { description: 'For If-None-Match.', schema: { type: 'string' } },
} as const;

const errorResponses = (statuses: Readonly<Partial<Record<number, string>>>) =>
  Object.entries(statuses).map(([status, description]) =>
    ApiResponse({ status: Number(status), description: description!, type: ErrorResponseDto }),
  );

/**
 * A GET route. Its method takes the parameters of `query`, parsed and checked, and returns a `MakeContent`. The answer is
 * made once per head and kept. Nest registers and documents the route, but `Endpoints` calls the method before routing.
 * So guards, pipes, interceptors and filters cannot apply, and the api refuses to start with one.
 */
export const Endpoint = <T extends object>(path: string, options: EndpointOptions<T>): MethodDecorator => {
  const { summary, answer, query, finds, isPaged, needsHistory } = options;
  return applyDecorators(
    Get(path),
    SetMetadata(ENDPOINT, options),
    ApiOperation({ summary }),
    ApiHeader(API_VERSION),
    ApiHeader(REQUEST_ID),
    ApiOkResponse({ type: answer, headers: ANSWER_HEADERS }),
    ...(query ? describePath(query).map((parameter) => ApiParam(parameter)) : []),
    ...(query ? describeQuery(query).map((parameter) => ApiQuery(parameter)) : []),
    ...errorResponses({
      400: 'The request cannot be understood.',
      ...(finds ? { 404: `There is no such ${finds}.` } : {}),
      ...(isPaged ? { 409: 'A fork has undone the block at which the page before ended.' } : {}),
      429: 'Too many requests from this address.',
      ...(needsHistory ? { 501: 'The index keeps no history.' } : {}),
      503: 'The index cannot answer at the moment.',
    }),
  );
};
