import { applyDecorators, Get, SetMetadata } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiQuery } from '@nestjs/swagger';
import { describePath, describeQuery, type DtoClass } from '@roundhouse/dto';
import { describeAnswer, describeErrors, describeRequestHeaders } from '../docs/operation.js';
import type { Writing } from './answer-request.js';

export const ENDPOINT = Symbol('endpoint');

export interface EndpointOptions<T extends object = object> {
  /** One sentence for OpenAPI. */
  readonly summary: string;
  readonly answer: DtoClass<T>;
  /** The media types besides JSON that `writingFor` can choose. */
  readonly otherMediaTypes?: readonly string[];
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

/**
 * A GET route. Its method takes the parameters of `query`, parsed and checked, and returns a `MakeContent`. The answer is
 * made once per head and kept. Nest registers and documents the route, but `Endpoints` calls the method before routing.
 * So guards, pipes, interceptors and filters cannot apply, and the api refuses to start with one.
 */
export const Endpoint = <T extends object>(path: string, options: EndpointOptions<T>): MethodDecorator => {
  const { summary, answer, otherMediaTypes = [], query, finds, isPaged, needsHistory } = options;
  return applyDecorators(
    Get(path),
    SetMetadata(ENDPOINT, options),
    ApiOperation({ summary }),
    describeRequestHeaders(),
    describeAnswer(answer, otherMediaTypes),
    ...(query ? describePath(query).map((parameter) => ApiParam(parameter)) : []),
    ...(query ? describeQuery(query).map((parameter) => ApiQuery(parameter)) : []),
    describeErrors({
      400: 'The request cannot be understood.',
      ...(finds ? { 404: `There is no such ${finds}.` } : {}),
      ...(isPaged ? { 409: 'A fork has undone the block at which the page before ended.' } : {}),
      429: 'Too many requests from this address.',
      ...(needsHistory ? { 501: 'The index keeps no history.' } : {}),
      503: 'The index cannot answer at the moment.',
    }),
  );
};
