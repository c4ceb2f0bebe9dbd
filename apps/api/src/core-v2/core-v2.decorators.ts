import {
  applyDecorators,
  Controller,
  createParamDecorator,
  Get,
  HttpCode,
  Injectable,
  Post,
  UseFilters,
  UsePipes,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { jsonWriter, type GivenParameters } from '@roundhouse/dto';
import { isCoreRequest, type JsonSchema } from '@roundhouse/dto/core-v2';
import type { FastifyRequest } from 'fastify';
import type { AnswerMetadata, Writing } from '../answers/answer-request.js';
import { Own } from '../answers/foreign-parts.js';
import { JSON_TYPE } from '../answers/headers.js';
import { Kept } from '../answers/kept.decorator.js';
import { noteParameters, rawQueryOf } from '../answers/parameters.pipe.js';
import { CORE_V2_PATH, pathBelowApi } from './core-v2.way.js';
import { describeRoute, type RouteDescription } from './describe-route.js';
import { payloadOf, postedIds, SENT_TYPE } from './payload.js';
import { CoreFilter } from './refusals.js';

/** Reads `@Param()` and `@Query()` by a node's rules. Throws `CoreRefusal`. */
@Injectable()
@Own()
class CoreRequestPipe implements PipeTransform<GivenParameters> {
  transform(given: GivenParameters, { metatype }: ArgumentMetadata): unknown {
    return isCoreRequest(metatype) ? noteParameters(given, metatype.rules(rawQueryOf(given))) : given;
  }
}

/** A controller of Core's version 2. */
export const CoreV2Controller = (group: string): ClassDecorator =>
  applyDecorators(Controller(`${CORE_V2_PATH}/${group}`), UsePipes(CoreRequestPipe), UseFilters(CoreFilter));

const WRITING: Writing<object> = {
  contentType: JSON_TYPE,
  headers: { 'api-version': '2' },
  // Amounts are text, and what a node does not have is absent.
  write: jsonWriter(
    (amount) => `"${amount}"`,
    (field) => field === undefined,
  ),
};

/**
 * A route of Core's version 2, whose handler returns a `MakeContent` that may throw `CoreRefusal`. To add one: the rules of
 * its parameters and how its answer looks (`libs/dto/src/core-v2`), its SQL in a reader of `libs/readers/src/core-v2`, its
 * handler, and its path in `apps/chain-e2e/src/core-v2/routes.ts`, which lets `core-v2.int-spec.ts` compare it with a real
 * node's answers.
 */
export const CoreGet = (
  path: string | string[],
  summary: string,
  answer: JsonSchema,
  metadata: AnswerMetadata = {},
): MethodDecorator =>
  applyDecorators(Get(path), Kept({ writing: WRITING, ...metadata }), describeRoute({ summary, answer }));

/** The same for a route that needs the indexes of lists: a first sync refuses it. */
export const IndexedGet = (path: string | string[], summary: string, answer: JsonSchema): MethodDecorator =>
  CoreGet(path, summary, answer, { needsListIndexes: true });

/** The same of a POST whose answer is read from its body. One that is always refused has no description. */
export const CorePost = (path = '', description?: RouteDescription): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    Kept({ writing: WRITING, needsListIndexes: true }),
    description ? describeRoute(description) : ApiExcludeEndpoint(),
  );

const sentIn = (context: ExecutionContext) => {
  const { headers, body } = context.switchToHttp().getRequest<FastifyRequest>();
  return [headers[SENT_TYPE] as string | undefined, body as Buffer | undefined] as const;
};

/** What a client posted, as a node reads it. Throws `CoreRefusal`. */
export const Payload = createParamDecorator((_, context): unknown => payloadOf(...sentIn(context)));

/** The ids of the transactions that a client posted, as far as its body can be read. */
export const PostedIds = createParamDecorator((_, context): readonly string[] =>
  postedIds(...sentIn(context)),
);

/** The path below `/api` that a client asked for: links to other pages have it. */
export const Pathname = createParamDecorator(
  (_, context): string => pathBelowApi(context.switchToHttp().getRequest<FastifyRequest>().originalUrl) ?? '',
);
