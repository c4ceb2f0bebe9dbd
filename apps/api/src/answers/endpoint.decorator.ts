import { applyDecorators, createParamDecorator, Get, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { describeQuery, ErrorResponseDto } from '@roundhouse/dto';
import type { FastifyRequest } from 'fastify';
import { AnswerInterceptor } from './answer.interceptor.js';
import { ENDPOINT, type EndpointOptions } from './endpoint.js';

const API_VERSION = {
  name: 'API-Version',
  required: false,
  description: 'The version of the contract: 1, also when absent.',
  schema: { type: 'string', enum: ['1'] },
};

const errorResponses = (statuses: Readonly<Partial<Record<number, string>>>) =>
  Object.entries(statuses).map(([status, description]) =>
    ApiResponse({ status: Number(status), description: description!, type: ErrorResponseDto }),
  );

/** A GET route whose handler gives a `Recipe`; the answer is made once a head and kept. */
export const Endpoint = <T extends object>(path: string, options: EndpointOptions<T>): MethodDecorator => {
  const { summary, answer, query, finds } = options;
  return applyDecorators(
    Get(path),
    SetMetadata(ENDPOINT, options),
    UseInterceptors(AnswerInterceptor),
    ApiOperation({ summary }),
    ApiHeader(API_VERSION),
    ApiOkResponse({ type: answer }),
    ...(query ? describeQuery(query).map((parameter) => ApiQuery(parameter)) : []),
    ...errorResponses({
      400: 'The request cannot be understood.',
      ...(finds ? { 404: `There is no such ${finds}.` } : {}),
      429: 'Too many requests from this address.',
      503: 'The index cannot answer just now.',
    }),
  );
};

/** The parameters of the endpoint's `query` class, read and checked. */
export const Parameters = createParamDecorator(
  (_, context) => context.switchToHttp().getRequest<FastifyRequest>().parameters,
);
