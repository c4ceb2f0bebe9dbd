import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { CoreRequest, JsonSchema } from '@roundhouse/dto/core-v2';
import { parameterClasses } from '../docs/operation.js';

export interface RouteDescription {
  /** One sentence. */
  readonly summary: string;
  readonly answer: JsonSchema;
  /** What a client posts. */
  readonly body?: JsonSchema;
}

const HEADERS = {
  'X-Block-Height': { description: 'The height of the head.', schema: { type: 'integer' } },
} as const;

const response = (status: number, description: string, schema: JsonSchema): MethodDecorator =>
  ApiResponse({ status, description, headers: HEADERS, content: { 'application/json': { schema } } });

const refusal = (status: number, description: string): MethodDecorator =>
  response(status, description, { $ref: '#/components/schemas/CoreError' });

/** What the document says about a route: its parameters are those that its handler checks. */
export const describeRoute =
  ({ summary, answer, body }: RouteDescription): MethodDecorator =>
  (target, name, descriptor) => {
    const { paths, queries } = parameterClasses<CoreRequest>(target, name);
    const inPath = paths.flatMap(({ parameters }) => parameters());
    const inQuery = queries.flatMap(({ parameters }) => parameters());
    applyDecorators(
      ApiOperation({ summary }),
      ...inPath.map((parameter) => ApiParam(parameter)),
      ...inQuery.map((parameter) => ApiQuery({ ...parameter, required: false })),
      ...(body ? [ApiBody({ schema: body })] : []),
      response(200, 'The answer.', answer),
      refusal(404, 'There is no such thing.'),
      refusal(422, 'A parameter is not valid.'),
      refusal(429, 'Too many requests from this address, or too many that wait.'),
      refusal(503, 'The index cannot answer at the moment.'),
    )(target, name, descriptor);
  };
