import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { parseQuery } from '@roundhouse/dto';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AnswerCache } from './answer-cache.service.js';
import { AnswersService, type Recipe } from './answers.service.js';
import type { Answer } from './answer.js';
import { ENDPOINT, type EndpointOptions } from './endpoint.js';

/** Between a request and its handler: reads the parameters, looks for a kept answer, has one made where there is none. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: AnswersService,
    private readonly cache: AnswerCache,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<Answer> {
    return from(this.answer(context, next));
  }

  private async answer(context: ExecutionContext, next: CallHandler): Promise<Answer> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const endpoint = this.reflector.get<EndpointOptions>(ENDPOINT, context.getHandler());
    const { target } = request;
    request.parameters = endpoint.query && parseQuery(endpoint.query, target!.query);
    const answer = await this.answers.get({
      key: `${context.getClass().name}.${context.getHandler().name} ${JSON.stringify(request.parameters ?? {})}`,
      dto: endpoint.answer,
      recipe: (await lastValueFrom(next.handle())) as Recipe<object>,
      followsSource: endpoint.followsSource ?? false,
    });
    this.cache.keepUrl(request.raw.url!, answer);
    return answer;
  }
}
