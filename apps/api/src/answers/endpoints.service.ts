import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { DtoClass } from '@roundhouse/dto';
import type { Asker } from '../clients/fair-places.js';
import { acceptanceOf } from './acceptance.js';
import { AnswerCache } from './answer-cache.service.js';
import { asJson, type MakeContent, type Writing } from './answer-request.js';
import type { AnswerForm, StreamedForm } from './answer.js';
import { AnswersService } from './answers.service.js';
import { ENDPOINT, type EndpointOptions } from './endpoint.decorator.js';

type Handler = (parameters: object | undefined) => MakeContent<object>;

export interface EndpointRoute {
  readonly route: string;
  readonly handler: Handler;
  readonly writingFor: (parameters: object | undefined) => Writing<object>;
  readonly followsSource: boolean;
  readonly isRenewed: boolean;
  readonly query: DtoClass | undefined;
}

/** The features that only Nest's router applies, by the metadata keys of their decorators. */
const ROUTER_ONLY: Readonly<Record<string, string>> = {
  [GUARDS_METADATA]: 'a guard',
  [PIPES_METADATA]: 'a pipe',
  [INTERCEPTORS_METADATA]: 'an interceptor',
  [EXCEPTION_FILTERS_METADATA]: 'an exception filter',
  [HTTP_CODE_METADATA]: 'a status code',
  [HEADERS_METADATA]: 'a header',
};

const WHY = 'Endpoints are called before routing, so Nest would not apply it. Remove it, or use @Get.';

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

  /** Throws if an endpoint has a guard or the like, which would be ignored. */
  onModuleInit(): void {
    for (const { instance, metatype } of this.discovery.getControllers()) {
      const controller = instance as Record<string, Handler>;
      for (const name of this.scanner.getAllMethodNames(controller)) {
        const handler = controller[name]!;
        const options = this.reflector.get<EndpointOptions | undefined>(ENDPOINT, handler);
        if (!options) continue;
        const owner = metatype as NewableFunction;
        this.assertNothingIgnored(owner, name, handler);
        const parts = [owner, handler].map((of) => this.reflector.get<string>(PATH_METADATA, of));
        const route = `/${parts.filter((part) => part !== '/').join('/')}`;
        const { answer, query, followsSource = false, isRenewed = true } = options;
        const json = asJson(answer);
        const writingFor = (options.writingFor as EndpointRoute['writingFor'] | undefined) ?? (() => json);
        const asked = { handler: handler.bind(controller), query, writingFor, followsSource, isRenewed };
        this.byRoute.set(route, { route, ...asked });
      }
    }
  }

  find(route: string): EndpointRoute | undefined {
    return this.byRoute.get(route);
  }

  /** Returns the answer in a form that the client accepts. Throws what `makeContent` throws, and `NotReadyError`. */
  async answer(
    { route, handler, writingFor, followsSource, isRenewed }: EndpointRoute,
    parameters: object | undefined,
    { url, headers }: IncomingMessage,
    asker: Asker,
  ): Promise<AnswerForm | StreamedForm> {
    const key = `${route} ${JSON.stringify(parameters ?? {})}`;
    const form = await this.answers.get(
      {
        key,
        route,
        writing: writingFor(parameters),
        makeContent: handler(parameters),
        followsSource,
        isRenewed,
      },
      acceptanceOf(headers['accept-encoding']),
      asker,
    );
    this.cache.noteSent(key, url!);
    return form;
  }

  private assertNothingIgnored(owner: NewableFunction, name: string, handler: Handler): void {
    const refuse = (what: string): never => {
      throw new Error(`The endpoint ${owner.name}.${name} has ${what}. ${WHY}`);
    };
    for (const [key, what] of Object.entries(ROUTER_ONLY)) {
      if ([owner, handler].some((of) => this.reflector.get<unknown>(key, of) !== undefined)) refuse(what);
    }
    if (Reflect.hasMetadata(ROUTE_ARGS_METADATA, owner, name)) refuse('a decorated parameter');
    // Those that a module registers for all routes, for example with APP_GUARD.
    const registered = this.discovery.getProviders().find(({ subtype }) => subtype !== undefined);
    if (registered) refuse(`a global ${registered.subtype}`);
  }
}
