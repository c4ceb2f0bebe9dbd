import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  ForbiddenException,
  Get,
  Global,
  Injectable,
  Module,
  Param,
  Req,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tap } from 'rxjs';
import { made, type MakeContent } from './answer-request.js';
import { ForeignParts } from './foreign-parts.js';
import { AnswerSender, Kept } from './kept.decorator.js';

@Injectable()
class SeeingInterceptor implements NestInterceptor<string, string> {
  intercept(context: ExecutionContext, next: CallHandler<string>) {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap((body) => void reply.header('x-seen', body)));
  }
}

@Injectable()
class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

const own = (): MakeContent<object> => () => ({ is: 'own' });

@Controller('base')
class BaseController {
  @Get('plain')
  @Kept({})
  plain(): MakeContent<object> {
    return () => ({ by: this.constructor.name });
  }

  @Get('overridden')
  @Kept({})
  overridden(): MakeContent<object> {
    return () => ({ is: 'base' });
  }

  @Get('seen')
  @Kept({})
  @UseInterceptors(SeeingInterceptor)
  seen(): MakeContent<object> {
    return own();
  }

  @Get('refused')
  @Kept({})
  @UseGuards(NobodyGuard)
  refused(): MakeContent<object> {
    return own();
  }

  @Get('thrown')
  @Kept({})
  thrown(): MakeContent<object> {
    throw new ForbiddenException('At once.');
  }

  @Get('named/:name')
  @Kept({})
  named(@Param('name') name: string, @Req() { headers }: FastifyRequest): MakeContent<object> {
    const key = headers['x-key'] as string;
    return made({ key }, () => ({ name, key }));
  }
}

@Controller('derived')
class DerivedController extends BaseController {
  @Get('overridden')
  @Kept({})
  override overridden(): MakeContent<object> {
    return own();
  }
}

describe('Kept', () => {
  let app: NestFastifyApplication;
  let foreign: ForeignParts;

  /** Sends what a handler makes, and for whom. */
  const sender: Pick<AnswerSender, 'send'> = {
    send: async (_request, reply, [controller, handler], _metadata, makeContent) => {
      reply.header('x-for', `${controller.name}.${handler}`);
      return JSON.stringify(await makeContent(null as never)) as never;
    },
  };

  @Global()
  @Module({
    controllers: [BaseController, DerivedController],
    providers: [ForeignParts, { provide: AnswerSender, useValue: sender }],
  })
  class TestModule {}

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(TestModule, new FastifyAdapter(), {
      logger: false,
    });
    foreign = app.get(ForeignParts);
    await app.init();
  });
  afterAll(() => app.close());

  const get = async (url: string) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { 'x-key': 'mine' } });
    return { status: statusCode, headers, body: JSON.parse(body) as object };
  };

  it('sends what the handler makes, with what the class and the path gave it', async () => {
    expect(await get('/base/plain')).toMatchObject({ status: 200, body: { by: 'BaseController' } });
    expect((await get('/base/named/x')).body).toEqual({ name: 'x', key: 'mine' });
    expect(await get('/base/thrown')).toMatchObject({ status: 403, body: { message: 'At once.' } });
  });

  it('is inherited, and a handler that overrides one has its own', async () => {
    const inherited = await get('/derived/plain');
    expect([inherited.body, inherited.headers['x-for']]).toEqual([
      { by: 'DerivedController' },
      'DerivedController.plain',
    ]);
    expect((await get('/derived/overridden')).body).toEqual({ is: 'own' });
    expect((await get('/base/overridden')).body).toEqual({ is: 'base' });
  });

  it.each(['base', 'derived'])('keeps the parts that are declared below it: %s', async (path) => {
    expect((await get(`/${path}/seen`)).headers['x-seen']).toBe('{"is":"own"}');
    expect((await get(`/${path}/refused`)).status).toBe(403);
  });

  it('adds nothing to what a handler depends on', () => {
    for (const controller of [BaseController, DerivedController]) {
      expect(foreign.of(controller, 'plain')).toEqual({ isGuarded: false, needsKey: false });
      expect(foreign.of(controller, 'overridden')).toEqual({ isGuarded: false, needsKey: false });
      expect(foreign.of(controller, 'seen')).toEqual({ isGuarded: true, needsKey: false });
      expect(foreign.of(controller, 'refused')).toEqual({ isGuarded: true, needsKey: false });
      expect(foreign.of(controller, 'named')).toEqual({ isGuarded: false, needsKey: true });
    }
  });
});
