import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { writeAnswer, type DtoClass } from '@roundhouse/dto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap } from 'rxjs';
import { AnswerCache } from './answer-cache.service.js';
import type { AnswerMetadata, MakeContent, Writing } from './answer-request.js';
import { acceptanceOf, AnswerForm } from './answer.js';
import { AnswersService } from './answers.service.js';
import { ForeignParts, Own, type HandlerFacts } from './foreign-parts.js';
import { JSON_TYPE } from './headers.js';
import { joinParameters, parametersOf } from './parameters.pipe.js';
import { StreamedAnswers } from './streamed-answers.service.js';

/** JSON with exactly the documented fields. */
export const asJson = <T extends object>(dto: DtoClass<T>): Writing<T> => ({
  contentType: JSON_TYPE,
  write: (content) => writeAnswer(dto, content),
});

/** The metadata of a handler that returns a `MakeContent`. */
export const ANSWER = Symbol('answer');

const missingKey = (route: string): never => {
  throw new Error(
    `The handler of ${route} has arguments besides a path and a query with a class: return made({ key }, …) with what its answer depends on.`,
  );
};

/** Makes the answer by what the handler returns, or takes the one that is kept, and has it sent. */
@Injectable()
@Own()
export class AnswersInterceptor implements NestInterceptor<MakeContent<object>> {
  /** By the configuration of a route, which all its requests share. */
  private readonly facts = new WeakMap<object, HandlerFacts>();

  constructor(
    private readonly reflector: Reflector,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly streamed: StreamedAnswers,
    private readonly foreign: ForeignParts,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<MakeContent<object>>) {
    joinParameters(context.switchToHttp().getRequest<FastifyRequest>());
    return next.handle().pipe(mergeMap((makeContent) => this.answer(context, makeContent)));
  }

  private async answer(context: ExecutionContext, makeContent: MakeContent<object>) {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { client, headers, method, routeOptions } = request;
    const { url, config } = routeOptions;
    const facts = this.facts.get(config) ?? this.foreign.of(context);
    this.facts.set(config, facts);
    request.parameters = parametersOf(request, facts.isGuarded);
    const metadata = this.reflector.get<AnswerMetadata>(ANSWER, context.getHandler());
    const { key: given = facts.needsKey ? missingKey(url!) : '', writing = metadata.writing! } = makeContent;
    const key = `${url} ${JSON.stringify(request.parameters)} ${given}`;
    const asked = { ...metadata, key, writing, makeContent };
    const asker = { client, response: reply.raw };
    const get = () => this.answers.get(asked, acceptanceOf(headers['accept-encoding']), asker);
    const form = await get();
    // Ready bytes under a URL would be sent in front of them. A URL with a version has another meaning with other headers.
    if (!facts.isGuarded && !('version' in (request.query as object)))
      this.cache.noteSent(key, request.readyKey);
    const ifNoneMatch = headers['if-none-match'];
    if (form instanceof AnswerForm) return form.begin(reply, ifNoneMatch) ? form.body : undefined;
    if (method !== 'HEAD' && !form.isKnownTo(ifNoneMatch)) return this.streamed.open(asker, reply, get);
    form.begin(reply, ifNoneMatch);
    return undefined;
  }
}
