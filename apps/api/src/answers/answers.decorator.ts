import { applyDecorators } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { DtoClass } from '@roundhouse/dto';
import {
  describeAnswer,
  describeErrors,
  describeParameters,
  describeRequestHeaders,
} from '../docs/operation.js';
import type { AnswerMetadata, MakeContent } from './answer-request.js';
import { asJson, Kept } from './kept.decorator.js';

interface DescribedOptions extends Omit<AnswerMetadata, 'writing'> {
  /** One sentence for OpenAPI. */
  readonly summary: string;
  /** The media types besides JSON in which a handler can have the answer written. */
  readonly otherMediaTypes?: readonly string[];
  /** What the route looks up, if anything, such as `block`. The documented 404 names it. */
  readonly finds?: string;
  /** Whether a cursor of its pages can be of a block that a fork has undone. */
  readonly isPaged?: boolean;
  /** Whether it asks for history, which an index may not keep. */
  readonly needsHistory?: boolean;
}

/** As the compiler infers a content: `success: true` is any boolean. */
type Inferred<T> = { [Name in keyof T]: T[Name] extends true ? boolean : T[Name] };

/** Compiles for no handler that makes another content. */
type HandlerDecorator<T extends object> = <Handler extends (...args: never[]) => MakeContent<Inferred<T>>>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/** `Kept`, for a route of the contract or beside it: its answers have the documented fields of `dto`. */
export const Answers = <T extends object>(
  dto: DtoClass<T>,
  options: DescribedOptions,
): HandlerDecorator<T> => {
  const { summary, otherMediaTypes = [], finds, isPaged, needsHistory } = options;
  return applyDecorators(
    Kept({ ...options, writing: asJson(dto) }),
    ApiOperation({ summary }),
    describeRequestHeaders(),
    describeAnswer(dto, otherMediaTypes),
    describeParameters(),
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
