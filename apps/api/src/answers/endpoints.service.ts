import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { parseQuery, type RawQuery } from '@roundhouse/dto';
import { canonicalPath } from '../http/request-target.js';
import { acceptanceOf } from './acceptance.js';
import { AnswerCache } from './answer-cache.service.js';
import type { AnswerForm } from './answer-form.js';
import { asJson, type Recipe, type Writing } from './answer-request.js';
import { AnswersService } from './answers.service.js';
import { ENDPOINT, type EndpointOptions } from './endpoint.js';

type Handler = (parameters: object | undefined) => Recipe<object>;

export interface EndpointRoute {
  readonly route: string;
  readonly handler: Handler;
  readonly writing: Writing<object>;
  readonly followsSource: boolean;
  /** Reads the parameters. Throws `InvalidRequestError`. */
  read(query: RawQuery): object | undefined;
}

/** Where Nest's decorators leave the path of a controller and of a method. */
const PATH = 'path';

const endpointRoute = (
  route: string,
  handler: Handler,
  { query, answer, followsSource = false }: EndpointOptions,
): EndpointRoute => ({
  route,
  handler,
  writing: asJson(answer),
  followsSource,
  read: (raw) => query && parseQuery(query, raw),
});

/** The methods with `@Endpoint`, found by path: on the way through Nest's router a request costs three times as much. */
@Injectable()
export class Endpoints implements OnModuleInit {
  private readonly byPath = new Map<string, EndpointRoute>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
  ) {}

  onModuleInit(): void {
    for (const { instance, metatype } of this.discovery.getControllers()) {
      const controller = instance as Record<string, Handler>;
      for (const name of this.scanner.getAllMethodNames(controller)) {
        const handler = controller[name]!;
        const options = this.reflector.get<EndpointOptions | undefined>(ENDPOINT, handler);
        if (!options) continue;
        const parts = [metatype as NewableFunction, handler].map((of) =>
          this.reflector.get<string>(PATH, of),
        );
        const route = `/${parts.filter((part) => part !== '/').join('/')}`;
        this.byPath.set(canonicalPath(route), endpointRoute(route, handler.bind(controller), options));
      }
    }
  }

  /** `path` as a request target has it. */
  find(path: string): EndpointRoute | undefined {
    return this.byPath.get(path);
  }

  /** Gives the answer in a form that the client takes. Throws what the recipe throws, and `NotReadyError`. */
  async answer(
    { route, handler, writing, followsSource }: EndpointRoute,
    parameters: object | undefined,
    { url, headers }: IncomingMessage,
  ): Promise<AnswerForm> {
    const key = `${route} ${JSON.stringify(parameters ?? {})}`;
    const form = await this.answers.get(
      { key, route, writing, recipe: handler(parameters), followsSource },
      acceptanceOf(headers['accept-encoding']),
    );
    this.cache.noteSent(key, url!);
    return form;
  }
}
