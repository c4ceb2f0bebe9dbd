import { Inject, Injectable, Req, Res } from '@nestjs/common';
import { writeAnswer, type DtoClass } from '@roundhouse/dto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { AnswerMetadata, MakeContent, Writing } from './answer-request.js';
import { acceptanceOf, AnswerForm, type StreamedForm } from './answer.js';
import { AnswersService } from './answers.service.js';
import { ForeignParts, OWN_ARGUMENTS_FROM, type HandlerFacts } from './foreign-parts.js';
import { JSON_TYPE } from './headers.js';
import { parametersOf } from './parameters.pipe.js';
import { StreamedAnswers } from './streamed-answers.service.js';

/** JSON with exactly the documented fields. */
export const asJson = <T extends object>(dto: DtoClass<T>): Writing<T> => ({
  contentType: JSON_TYPE,
  write: (content) => writeAnswer(dto, content),
});

const missingKey = (route: string): never => {
  throw new Error(
    `The handler of ${route} has arguments besides a path and a query with a class: return made({ key }, …) with what its answer depends on.`,
  );
};

/** Makes the answer by what a handler returns, or takes the one that is kept, and has it sent. */
@Injectable()
export class AnswerSender {
  /** By the configuration of a route, which all its requests share. */
  private readonly facts = new WeakMap<object, HandlerFacts>();

  constructor(
    private readonly answers: AnswersService,
    private readonly streamed: StreamedAnswers,
    private readonly foreign: ForeignParts,
  ) {}

  /** Sets status and headers; returns the body. `handler`: the name of the controller's method. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    [controller, handler]: readonly [NewableFunction, string],
    metadata: AnswerMetadata,
    makeContent: MakeContent<object>,
  ): Promise<Buffer | Readable | undefined> {
    const { client, headers, method, route } = request;
    let facts = this.facts.get(route.config);
    if (!facts) this.facts.set(route.config, (facts = this.foreign.of(controller, handler)));
    const parameters = (request.parameters = parametersOf(request, facts.isGuarded));
    const given = makeContent.key ?? (facts.needsKey ? missingKey(route.url!) : '');
    const key = `${route.url} ${JSON.stringify(parameters)} ${given}`;
    // Ready bytes under a URL would be sent in front of them. A URL with a version has another meaning with other headers.
    const hasOwnUrl = !facts.isGuarded && !('version' in (request.query as object));
    const url = hasOwnUrl ? request.readyKey : undefined;
    const writing = makeContent.writing ?? metadata.writing!;
    // Not spread: an object whose shape differs by route misses V8's caches at each reading.
    const { followsSource, isRenewed, needsListIndexes } = metadata;
    const asked = { key, url, writing, makeContent, followsSource, isRenewed, needsListIndexes };
    const asker = { client, response: reply.raw };
    const get = () => this.answers.get(asked, acceptanceOf(headers['accept-encoding']), asker);
    // What is read where long lists are read waits as they do.
    const form = makeContent.places === 'streams' ? null : await get();
    const ifNoneMatch = headers['if-none-match'];
    if (form instanceof AnswerForm) return form.begin(reply, ifNoneMatch) ? form.body : undefined;
    const needsList = (of: StreamedForm) => method !== 'HEAD' && !of.isKnownTo(ifNoneMatch);
    if (!form || needsList(form)) return this.streamed.open(asker, reply, get, needsList);
    form.begin(reply, ifNoneMatch);
    return undefined;
  }
}

const SENDER = Symbol('answer sender');

/** An instance of a controller with such a handler. */
interface Answering {
  readonly [SENDER]: AnswerSender;
}

type Handler = (...args: unknown[]) => MakeContent<object>;

/** By what `Kept` has put in its place. */
const keptHandlers = new WeakMap<object, { readonly handler: Handler; readonly metadata: AnswerMetadata }>();

/** The handler behind a method with `Kept`, which only makes content, and what is said of it. */
export const keptOf = (method: object) => keptHandlers.get(method)!;

/**
 * For a handler that returns a `MakeContent`. Its answers are made once per head and kept. Guards, pipes, interceptors
 * and filters apply as to any handler, and interceptors get the bytes: it wraps the handler, because an interceptor of
 * ours would cost more than all of Nest's router (decision 0015).
 */
export const Kept =
  (metadata: AnswerMetadata): MethodDecorator =>
  (controller, name, descriptor) => {
    const handler = descriptor.value as unknown as Handler;
    function answer(this: Answering, ...args: unknown[]) {
      const request = args[OWN_ARGUMENTS_FROM] as FastifyRequest;
      const reply = args[OWN_ARGUMENTS_FROM + 1] as FastifyReply;
      const of = [this.constructor, name as string] as const;
      return this[SENDER].send(request, reply, of, metadata, handler.apply(this, args));
    }
    for (const key of Reflect.getMetadataKeys(handler) as unknown[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), answer);
    Object.defineProperty(answer, 'name', { value: name });
    Req()(controller, name, OWN_ARGUMENTS_FROM);
    Res({ passthrough: true })(controller, name, OWN_ARGUMENTS_FROM + 1);
    Inject(AnswerSender)(controller, SENDER);
    keptHandlers.set(answer, { handler, metadata });
    descriptor.value = answer as never;
  };
