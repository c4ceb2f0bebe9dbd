import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { DtoClass } from '@roundhouse/dto';
import { acceptanceOf } from './acceptance.js';
import { AnswerCache } from './answer-cache.service.js';
import { asJson, type Recipe, type Writing } from './answer-request.js';
import type { AnswerForm } from './answer.js';
import { AnswersService } from './answers.service.js';
import { ENDPOINT, type EndpointOptions } from './endpoint.decorator.js';

type Handler = (parameters: object | undefined) => Recipe<object>;

export interface EndpointRoute {
  readonly route: string;
  readonly handler: Handler;
  readonly writing: Writing<object>;
  readonly followsSource: boolean;
  readonly query: DtoClass | undefined;
}

/** The methods with `@Endpoint`, by route. Calling them directly costs less than Nest's router (decision 0015). */
@Injectable()
export class Endpoints implements OnModuleInit {
  private readonly byRoute = new Map<string, EndpointRoute>();

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
        const owner = metatype as NewableFunction;
        const parts = [owner, handler].map((of) => this.reflector.get<string>(PATH_METADATA, of));
        const route = `/${parts.filter((part) => part !== '/').join('/')}`;
        const { answer, query, followsSource = false } = options;
        const writing = asJson(answer);
        this.byRoute.set(route, { route, handler: handler.bind(controller), writing, followsSource, query });
      }
    }
  }

  find(route: string): EndpointRoute | undefined {
    return this.byRoute.get(route);
  }

  /** Gives the answer in a form that the client accepts. Throws what the recipe throws, and `NotReadyError`. */
  async answer(
    { route, handler, writing, followsSource }: EndpointRoute,
    parameters: object | undefined,
    { url, headers }: IncomingMessage,
  ): Promise<AnswerForm> {
    const key = `${route} ${JSON.stringify(parameters ?? {})}`;
    const form = await this.answers.get(
      { key, route, writing, recipe: (chain) => handler(parameters)(chain), followsSource },
      acceptanceOf(headers['accept-encoding']),
    );
    this.cache.noteSent(key, url!);
    return form;
  }
}
