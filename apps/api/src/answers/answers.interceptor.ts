import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { writeAnswer, type DtoClass } from '@roundhouse/dto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { mergeMap, type Observable } from 'rxjs';
import { AnswerCache } from './answer-cache.service.js';
import type { AnswerRequest, MakeContent, Writing } from './answer-request.js';
import { acceptanceOf, AnswerForm } from './answer.js';
import { AnswersService } from './answers.service.js';
import { ForeignParts, Own, type HandlerFacts } from './foreign-parts.js';
import { JSON_TYPE } from './headers.js';
import { joinParameters, parametersOf } from './parameters.pipe.js';
import { StreamedAnswers } from './streamed-answers.service.js';

/** JSON with exactly the documented fields. */
export const asJson = <T extends object>(dto: DtoClass<T>): Writing<T> => ({
  contentType: JSON_TYPE,
  headers: {},
  write: (content) => writeAnswer(dto, content),
});

/** The metadata of a handler that returns a `MakeContent`. */
export const ANSWER = Symbol('answer');

/** What is fixed about the answers of a route. */
export interface AnswerMetadata {
  /** How they are written. Absent if each handler says it. */
  readonly writing?: Writing<object>;
  /** (Default: they change with the head alone) */
  readonly followsSource?: boolean;
  /** False if one costs too much to be made before it is requested. */
  readonly isRenewed?: boolean;
}

const missingKey = (route: string): never => {
  throw new Error(
    `The handler of ${route} has arguments besides a path and a query with a class: return made({ key }, …) with what its answer depends on.`,
  );
};

/** Makes the answer by what the handler returns, or takes the one that is kept, and has it sent. */
@Injectable()
@Own()
export class AnswersInterceptor implements NestInterceptor<MakeContent<object>> {
  /** By controller and handler: controllers may inherit a handler. */
  private readonly facts = new Map<object, Map<object, HandlerFacts>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
    private readonly streamed: StreamedAnswers,
    private readonly foreign: ForeignParts,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<MakeContent<object>>,
  ): Observable<Buffer | Readable | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { writing, ...options } = this.reflector.get<AnswerMetadata>(ANSWER, context.getHandler());
    joinParameters(request);
    return next.handle().pipe(
      mergeMap((makeContent) => {
        const route = request.routeOptions.url!;
        const { isGuarded, needsKey } = this.factsOf(context);
        const parameters = parametersOf(request, isGuarded);
        request.parameters = parameters;
        const { key = needsKey ? missingKey(route) : '' } = makeContent;
        const asked: AnswerRequest = {
          ...{ followsSource: false, ...options, ...makeContent },
          ...{ key: `${route} ${JSON.stringify(parameters)} ${key}`, route, makeContent },
          writing: makeContent.writing ?? writing!,
        };
        // Ready bytes under a URL would be sent in front of them. A URL with a version has another meaning with other headers.
        const isFound = !isGuarded && !('version' in (request.query as object));
        return this.answer(request, reply, asked, isFound);
      }),
    );
  }

  /** They are the same for all requests. */
  private factsOf(context: ExecutionContext): HandlerFacts {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    let ofController = this.facts.get(controller);
    if (!ofController) this.facts.set(controller, (ofController = new Map<object, HandlerFacts>()));
    let facts = ofController.get(handler);
    if (!facts) ofController.set(handler, (facts = this.foreign.of(context)));
    return facts;
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AnswerRequest,
    isFoundByUrl: boolean,
  ): Promise<Buffer | Readable | undefined> {
    const { client, headers, method } = request;
    const ifNoneMatch = headers['if-none-match'];
    const asker = { client, response: reply.raw };
    const get = () => this.answers.get(asked, acceptanceOf(headers['accept-encoding']), asker);
    const form = await get();
    if (isFoundByUrl) this.cache.noteSent(asked.key, request.readyKey);
    if (form instanceof AnswerForm) return form.begin(reply, ifNoneMatch) ? form.body : undefined;
    if (method !== 'HEAD' && !form.isKnownTo(ifNoneMatch)) return this.streamed.open(asker, reply, get);
    form.begin(reply, ifNoneMatch);
    return undefined;
  }
}
