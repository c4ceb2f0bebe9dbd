import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { parseQuery } from '@roundhouse/dto';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { acceptanceOf } from './acceptance.js';
import { AnswerCache } from './answer-cache.service.js';
import type { AnswerForm } from './answer-form.js';
import { asJson, type Recipe } from './answer-request.js';
import { AnswersService } from './answers.service.js';
import { ENDPOINT, type EndpointOptions } from './endpoint.js';

/** Between a request and its handler: reads the parameters, looks for a kept answer, has one made where there is none. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<AnswerForm> {
    return from(this.answer(context, next));
  }

  private async answer(context: ExecutionContext, next: CallHandler): Promise<AnswerForm> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const endpoint = this.reflector.get<EndpointOptions>(ENDPOINT, context.getHandler());
    const { target } = request;
    request.parameters = endpoint.query && parseQuery(endpoint.query, target!.query);
    const key = `${context.getClass().name}.${context.getHandler().name} ${JSON.stringify(request.parameters ?? {})}`;
    const { url, headers } = request.raw;
    const form = await this.answers.get(
      {
        key,
        route: request.routeOptions.url!,
        writing: asJson(endpoint.answer),
        recipe: (await lastValueFrom(next.handle())) as Recipe<object>,
        followsSource: endpoint.followsSource ?? false,
      },
      acceptanceOf(headers['accept-encoding']),
    );
    this.cache.noteSent(key, url!);
    return form;
  }
}
