import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  applyDecorators,
  Controller,
  Header,
  HttpCode,
  Query,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import { HeightResponseDto } from '@roundhouse/dto';
import { AnswerCache } from './answer-cache.service.js';
import { AnswersService } from './answers.service.js';
import { Endpoint } from './endpoint.decorator.js';
import { Endpoints } from './endpoints.service.js';

const OPTIONS = { summary: 'A height', answer: HeightResponseDto };

const makeContent = () => ({ height: 1, id: '1', success: true });

const guard = { canActivate: () => true };
const pipe = { transform: (value: unknown) => value };
const interceptor = { intercept: () => Promise.reject(new Error('never called')) };
const filter = { catch: () => undefined };

const onMethod = (...decorators: MethodDecorator[]): Type => {
  @Controller('api')
  class TestController {
    @Endpoint('height', OPTIONS)
    @applyDecorators(...decorators)
    getHeight() {
      return makeContent;
    }
  }
  return TestController;
};

const onClass = (...decorators: ClassDecorator[]): Type => {
  const controller = onMethod();
  for (const decorate of decorators) decorate(controller);
  return controller;
};

@Controller('api')
class TestControllerWithParameter {
  @Endpoint('height', OPTIONS)
  getHeight(@Query('height') _height: string) {
    return makeContent;
  }
}

const boot = async (controller: Type, providers: readonly Provider[] = []): Promise<Endpoints> => {
  const app = await NestFactory.createApplicationContext(
    {
      module: class TestModule {},
      imports: [DiscoveryModule],
      controllers: [controller],
      providers: [
        Endpoints,
        { provide: AnswersService, useValue: {} },
        { provide: AnswerCache, useValue: {} },
        ...providers,
      ],
    },
    { logger: false, abortOnError: false },
  );
  const endpoints = app.get(Endpoints);
  await app.close();
  return endpoints;
};

describe('the start of the api', () => {
  it.each<[string, Type]>([
    ['a guard', onMethod(UseGuards(guard))],
    ['a pipe', onMethod(UsePipes(pipe))],
    ['an interceptor', onMethod(UseInterceptors(interceptor as never))],
    ['an exception filter', onMethod(UseFilters(filter))],
    ['a status code', onMethod(HttpCode(202))],
    ['a header', onMethod(Header('X-More', 'yes'))],
    ['a guard', onClass(UseGuards(guard))],
    ['a pipe', onClass(UsePipes(pipe))],
    ['an interceptor', onClass(UseInterceptors(interceptor as never))],
    ['an exception filter', onClass(UseFilters(filter))],
    ['a decorated parameter', TestControllerWithParameter],
  ])('is refused if an endpoint has %s, which would be ignored', async (what, controller) => {
    const message = `The endpoint ${controller.name}.getHeight has ${what}. Endpoints are called before routing`;
    await expect(boot(controller)).rejects.toThrow(message);
  });

  it.each<[string, symbol | string, object]>([
    ['guard', APP_GUARD, guard],
    ['pipe', APP_PIPE, pipe],
    ['interceptor', APP_INTERCEPTOR, interceptor],
    ['filter', APP_FILTER, filter],
  ])('is refused if there is a global %s, which would be ignored', async (what, provide, useValue) => {
    await expect(boot(onMethod(), [{ provide, useValue }])).rejects.toThrow(`has a global ${what}.`);
  });
});
