import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentMetadata,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AppModule } from '@roundhouse/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { eventually } from '@roundhouse/testing';
import { map } from 'rxjs';
import { publicKey } from './support/hand-made-chain.js';
import { readMetric } from './support/metrics.js';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const KEY = { 'X-API-Key': 'secret' };

@Injectable()
class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers['x-api-key'] !== 'secret') throw new UnauthorizedException('Send your key as X-API-Key.');
    return true;
  }
}

/** Sees the bytes of each answer, and says so. */
@Injectable()
class SeeingInterceptor implements NestInterceptor<Buffer, Buffer> {
  intercept(context: ExecutionContext, next: CallHandler<Buffer>) {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((body) => {
        void reply.header('x-seen', String(body.length));
        return body;
      }),
    );
  }
}

/** Lets nobody have more than two of anything. */
@Injectable()
class FrugalPipe implements PipeTransform<object> {
  transform(value: object, { type }: ArgumentMetadata): unknown {
    return type === 'query' ? { ...value, limit: 2 } : value;
  }
}

/** Refuses when the answer is there. */
@Injectable()
class LateInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      map((): never => {
        throw new ForbiddenException('Too late.');
      }),
    );
  }
}

@Catch()
class TeapotFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    void host.switchToHttp().getResponse<FastifyReply>().code(418).send({ said: error.message });
  }
}

/** A route of the contract, one for explorers and one of each version of Core, each with its handler and a wrong parameter. */
const ROUTES = [
  ['/api/delegates', 'api/delegates', 'listDelegates', 'limit=x'],
  ['/api/accounts', 'api/accounts', 'listAccounts', 'limit=x'],
  ['/api/v1/delegates', '/api/v1/delegates', 'listDelegates', 'limit=0'],
  ['/api/v2/delegates', '/api/v2/delegates', 'listDelegates', 'limit=0'],
] as const;

const controllersOf = (module: object): Type[] => [
  ...((Reflect.getMetadata('controllers', module) ?? []) as Type[]),
  ...((Reflect.getMetadata('imports', module) ?? []) as object[]).flatMap(controllersOf),
];

const controllerAt = (path: string): Type =>
  controllersOf(AppModule).find((controller) => Reflect.getMetadata('path', controller) === path)!;

const restoring: (() => void)[] = [];

/** Puts everything back after the test. */
const remembering = (target: object, change: () => void): void => {
  const before = new Map(
    Reflect.getMetadataKeys(target).map((key: string) => [key, Reflect.getMetadata(key, target) as unknown]),
  );
  restoring.push(() => {
    for (const key of Reflect.getMetadataKeys(target) as string[]) Reflect.deleteMetadata(key, target);
    for (const [key, value] of before) Reflect.defineMetadata(key, value, target);
  });
  change();
};

type Use = (part: Type) => MethodDecorator & ClassDecorator;

const PLACES: readonly (readonly [place: string, use: (part: Type, use: Use, token: string) => void])[] = [
  [
    'a handler',
    (part, use) => {
      for (const [, path, name] of ROUTES) {
        const prototype = controllerAt(path).prototype as object;
        const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
        remembering(descriptor.value as object, () => void use(part)(prototype, name, descriptor));
      }
    },
  ],
  [
    'a controller',
    (part, use) => {
      for (const [, path] of ROUTES) {
        const controller = controllerAt(path);
        remembering(controller, () => void use(part)(controller));
      }
    },
  ],
  [
    'the app',
    (part, _, token) => {
      const providers = (Reflect.getMetadata('providers', AppModule) ?? []) as object[];
      remembering(AppModule, () =>
        Reflect.defineMetadata('providers', [...providers, { provide: token, useClass: part }], AppModule),
      );
    },
  ],
];

describe.each(PLACES)('on %s', (place, put) => {
  let served: ServedChain;

  const serveWith = async (part: Type, use: Use, token: string): Promise<void> => {
    put(part, use, token);
    served = await serveChain();
  };

  const get = (path: string, headers: Record<string, string> = {}) =>
    getText(served.api.url, path, { 'Accept-Encoding': 'identity', ...headers });

  afterEach(async () => {
    await served.stop();
    while (restoring.length > 0) restoring.pop()!();
  });

  it('a guard lets nobody without a key have an answer, hot or cold', async () => {
    await serveWith(ApiKeyGuard, UseGuards, APP_GUARD);
    for (const [path] of ROUTES) {
      const [first, second] = [await get(path, KEY), await get(path, KEY)];
      expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
      const refused = await get(path);
      expect([path, refused.status, refused.text.includes('Send your key as X-API-Key.')]).toEqual([
        path,
        401,
        true,
      ]);
      expect((await get(path, KEY)).text).toBe(first.text);
    }
  });

  it('a guard acts on each version that headers ask for at one URL, and their answers do not mix', async () => {
    await serveWith(ApiKeyGuard, UseGuards, APP_GUARD);
    for (let time = 0; time < 3; time += 1) {
      for (const [headers, field] of [
        [{}, 'delegates'],
        [{ 'API-Version': '2' }, 'data'],
        [{ Accept: 'application/vnd.core-api.v2+json' }, 'data'],
      ] as const) {
        const answer = await get('/api/delegates', { ...KEY, ...headers });
        expect([answer.status, field in JSON.parse(answer.text)]).toEqual([200, true]);
        expect((await get('/api/delegates', { ...headers })).status).toBe(401);
      }
    }
  });

  it('an interceptor sees the bytes of each answer', async () => {
    await serveWith(SeeingInterceptor, UseInterceptors, APP_INTERCEPTOR);
    for (const [path] of ROUTES) {
      for (let time = 0; time < 3; time += 1) {
        const { headers, text } = await get(path);
        expect([path, headers.get('x-seen')]).toEqual([path, String(Buffer.byteLength(text))]);
      }
    }
  });

  it('a pipe changes what the handler gets', async () => {
    await serveWith(FrugalPipe, UsePipes, APP_PIPE);
    for (const [path] of ROUTES) {
      for (let time = 0; time < 3; time += 1) {
        const answer = JSON.parse((await get(`${path}?limit=3`)).text) as Record<string, unknown[]>;
        expect([path, (answer['delegates'] ?? answer['accounts'] ?? answer['data'])!.length]).toEqual([
          path,
          2,
        ]);
      }
    }
  });

  it('a filter tells errors in its own words', async () => {
    await serveWith(TeapotFilter, UseFilters, APP_FILTER);
    for (const [path, , , wrong] of ROUTES) {
      expect((await get(path)).status).toBe(200);
      expect((await get(path)).status).toBe(200);
      const { status, text } = await get(`${path}?${wrong}`);
      // The modules of Core's versions have filters of their own, which are nearer than one of the app.
      const [, version] = /^\/api\/v(\d)/.exec(path) ?? [];
      const isNearer = place === 'the app' && version !== undefined;
      expect([path, status]).toEqual([path, isNearer ? (version === '1' ? 200 : 422) : 418]);
      expect(text).toMatch(!isNearer ? /"said":/ : version === '1' ? /"success":false/ : /"statusCode":422/);
    }
  });
});

describe('an interceptor that refuses an answer which is there', () => {
  let served: ServedChain;

  beforeAll(async () => {
    const controller = controllerAt('api/delegates');
    remembering(controller, () => UseInterceptors(LateInterceptor)(controller));
    served = await serveChain({ settings: { STREAM_FROM_VOTERS: '1', MAX_STREAMS: '1' } });
  });

  afterAll(async () => {
    await served.stop();
    while (restoring.length > 0) restoring.pop()!();
  });

  it.each(['', 'br'])('sends nothing of it, also if it was to be sent as "%s"', async (coding) => {
    for (const path of ['/api/delegates', `/api/delegates/voters?publicKey=${publicKey(1)}`]) {
      for (let time = 0; time < 3; time += 1) {
        const { status, text, headers } = await getText(served.api.url, path, { 'Accept-Encoding': coding });
        expect([path, status, text]).toEqual([path, 403, '{"success":false,"error":"Too late."}']);
        expect([headers.get('content-encoding'), headers.get('etag')]).toEqual([null, null]);
        expect(headers.get('vary')).toBe('API-Version, Accept');
      }
    }
    await eventually(
      'its place is free',
      async () => (await readMetric(served.api, 'roundhouse_streams_open')) === 0,
    );
  });
});
