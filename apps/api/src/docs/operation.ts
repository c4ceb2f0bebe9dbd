import { applyDecorators } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { ApiExtraModels, ApiHeader, ApiParam, ApiQuery, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { describePath, describeQuery, ErrorResponseDto, type DtoClass } from '@roundhouse/dto';

// What all operations of the document have in common.

const text = { type: 'string' } as const;

const JSON_MEDIA_TYPE = 'application/json';

/** The headers of responses, by name: components of the document. */
export const HEADERS = {
  'X-Chain-Height': {
    description: 'The height of the head that the whole answer is about.',
    schema: { type: 'integer' },
  },
  'X-Indexed-At': {
    description:
      'When the block at that height was indexed. An old time means that the indexer stands still.',
    schema: { ...text, format: 'date-time' },
  },
  'X-Request-Id': {
    description: 'The id of the request: the one that it sent, or a new one.',
    schema: text,
  },
  ETag: { description: 'For If-None-Match.', schema: text },
  'Cache-Control': {
    description:
      'How long the answer may be kept. It is `immutable` if no answer to the same request can differ.',
    schema: text,
  },
  'Retry-After': { description: 'After how many seconds to ask again.', schema: { type: 'integer' } },
} as const;

const headersNamed = (...names: readonly (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const RESPONSE_HEADERS = headersNamed('X-Chain-Height', 'X-Indexed-At', 'X-Request-Id');

/** With or without a body. */
const ANSWER_HEADERS = { ...RESPONSE_HEADERS, ...headersNamed('ETag', 'Cache-Control') };

const MAY_ASK_AGAIN: readonly string[] = ['429', '503'];

export const describeHeader = (name: string, description: string, more: object = {}): MethodDecorator =>
  ApiHeader({ name, required: false, description, schema: { ...text, ...more } });

/** The headers that every request may have. */
export const describeRequestHeaders = (): MethodDecorator =>
  applyDecorators(
    describeHeader('API-Version', 'The version of the contract: 1, also when absent.', { enum: ['1'] }),
    describeHeader(
      'X-Request-Id',
      'An id for the log lines of this request: 1 to 128 letters, digits, dots, underscores, hyphens.',
    ),
  );

/** An answer that a client may already have. `others` are the media types besides JSON. */
export const describeAnswer = (dto: DtoClass, others: readonly string[]): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(dto),
    describeHeader(
      'If-None-Match',
      'The `ETag` of an answer that the client has. While it holds, the reply is 304 without a body.',
    ),
    ApiResponse({
      status: 200,
      description: 'The answer.',
      headers: ANSWER_HEADERS,
      content: {
        [JSON_MEDIA_TYPE]: { schema: { $ref: getSchemaPath(dto) } },
        ...Object.fromEntries(others.map((mediaType) => [mediaType, { schema: text }])),
      },
    }),
    ApiResponse({
      status: 304,
      description: 'The client already has the answer, by its `If-None-Match`.',
      headers: ANSWER_HEADERS,
    }),
  );

/** The classes of `@Param()` and of `@Query()` of a handler. */
export const parameterClasses = <Class>(target: object, name: string | symbol) => {
  const types = Reflect.getMetadata('design:paramtypes', target, name) as readonly Class[];
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, name) ?? {}) as Record<
    string,
    { readonly index: number }
  >;
  const classesOf = (kind: RouteParamtypes): readonly Class[] =>
    Object.entries(args)
      .filter(([key]) => key.startsWith(`${kind}:`))
      .map(([, { index }]) => types[index]!);
  return { paths: classesOf(RouteParamtypes.PARAM), queries: classesOf(RouteParamtypes.QUERY) };
};

/** The parameters that the classes of `@Param()` and `@Query()` declare. */
export const describeParameters = (): MethodDecorator => (target, name, descriptor) => {
  const { paths, queries } = parameterClasses<DtoClass>(target, name);
  applyDecorators(
    ...paths.flatMap(describePath).map((parameter) => ApiParam(parameter)),
    ...[...paths, ...queries].flatMap(describeQuery).map((parameter) => ApiQuery(parameter)),
  )(target, name, descriptor);
};

/** A stream that does not end, which nobody may keep. */
export const describeStream = (mediaType: string): MethodDecorator =>
  ApiResponse({
    status: 200,
    description: 'A stream that does not end.',
    headers: RESPONSE_HEADERS,
    content: { [mediaType]: { schema: text } },
  });

export const describeErrors = (statuses: Readonly<Partial<Record<number, string>>>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ErrorResponseDto),
    ...Object.entries(statuses).map(([status, description]) =>
      ApiResponse({
        status: Number(status),
        description,
        headers: {
          ...RESPONSE_HEADERS,
          ...(MAY_ASK_AGAIN.includes(status) ? headersNamed('Retry-After') : {}),
        },
        content: { [JSON_MEDIA_TYPE]: { schema: { $ref: getSchemaPath(ErrorResponseDto) } } },
      }),
    ),
  );
