import { applyDecorators, Get, SetMetadata } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { describeQuery, ErrorResponseDto } from '@roundhouse/dto';
import { ENDPOINT, type EndpointOptions } from './endpoint.js';

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
    description: 'The height of the chain that the whole answer tells of.',
    schema: { type: 'integer' },
  },
  'X-Indexed-At': {
    description:
      'When the block of that height was indexed. An old time tells of an indexer that stands still.',
    schema: { type: 'string', format: 'date-time' },
  },
  'X-Request-Id': {
    description: 'The id of the request: its own, or one that was made for it.',
    schema: { type: 'string' },
  },
  ETag: { description: 'For If-None-Match.', schema: { type: 'string' } },
} as const;

const errorResponses = (statuses: Readonly<Partial<Record<number, string>>>) =>
  Object.entries(statuses).map(([status, description]) =>
    ApiResponse({ status: Number(status), description: description!, type: ErrorResponseDto }),
  );

/**
 * A GET route whose method is given the parameters of `query`, read and checked, and gives a `Recipe`; the answer is made
 * once a head and kept. Nest registers and documents the route; `Endpoints` calls the method, before any routing.
 */
export const Endpoint = <T extends object>(path: string, options: EndpointOptions<T>): MethodDecorator => {
  const { summary, answer, query, finds } = options;
  return applyDecorators(
    Get(path),
    SetMetadata(ENDPOINT, options),
    ApiOperation({ summary }),
    ApiHeader(API_VERSION),
    ApiHeader(REQUEST_ID),
    ApiOkResponse({ type: answer, headers: ANSWER_HEADERS }),
    ...(query ? describeQuery(query).map((parameter) => ApiQuery(parameter)) : []),
    ...errorResponses({
      400: 'The request cannot be understood.',
      ...(finds ? { 404: `There is no such ${finds}.` } : {}),
      429: 'Too many requests from this address.',
      503: 'The index cannot answer just now.',
    }),
  );
};
