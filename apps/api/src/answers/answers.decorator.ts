import { applyDecorators, Inject, Req, Res } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { writeAnswer, type DtoClass } from '@roundhouse/dto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  describeAnswer,
  describeErrors,
  describeParameters,
  describeRequestHeaders,
} from '../docs/operation.js';
import type { AnswerMetadata, MakeContent, Writing } from './answer-request.js';
import { AnswerSender } from './answer-sender.service.js';
import { OWN_ARGUMENTS_FROM } from './foreign-parts.js';
import { JSON_TYPE } from './headers.js';

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

/** JSON with exactly the documented fields. */
export const asJson = <T extends object>(dto: DtoClass<T>): Writing<T> => ({
  contentType: JSON_TYPE,
  write: (content) => writeAnswer(dto, content),
});

const SENDER = Symbol('answer sender');

/** An instance of a controller with such a handler. */
interface Answering {
  readonly [SENDER]: AnswerSender;
}

/**
 * For a handler that returns a `MakeContent`. Its answers are made once per head and kept. Guards, pipes, interceptors
 * and filters apply as to any handler, and interceptors get the bytes: it wraps the handler, because an interceptor of
 * ours would cost as much as all of Nest's router (decision 0015).
 */
export const Kept =
  (metadata: AnswerMetadata): MethodDecorator =>
  (controller, name, descriptor) => {
    const handler = descriptor.value as unknown as (...args: unknown[]) => MakeContent<object>;
    function answer(this: Answering, ...args: unknown[]) {
      const [request, reply] = args.slice(OWN_ARGUMENTS_FROM) as [FastifyRequest, FastifyReply];
      const of = [this.constructor, name as string] as const;
      return this[SENDER].send(request, reply, of, metadata, handler.apply(this, args));
    }
    for (const key of Reflect.getMetadataKeys(handler) as unknown[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), answer);
    Object.defineProperty(answer, 'name', { value: name });
    Req()(controller, name, OWN_ARGUMENTS_FROM);
    Res({ passthrough: true })(controller, name, OWN_ARGUMENTS_FROM + 1);
    Inject(AnswerSender)(controller, SENDER);
    descriptor.value = answer as never;
  };

/** The same, for a route of the contract or beside it: its answers have the documented fields of `dto`. */
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
