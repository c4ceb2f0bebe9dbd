import { Injectable, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';

const OWN = Symbol('own');

/** Marks a pipe, interceptor or filter that belongs to the api and does not ask who requests. */
export const Own = (): CustomDecorator<symbol> => SetMetadata(OWN, true);

const PARTS = [GUARDS_METADATA, PIPES_METADATA, INTERCEPTORS_METADATA, EXCEPTION_FILTERS_METADATA];

type Part = object | NewableFunction;

const isForeign = (part: Part): boolean =>
  !Reflect.hasOwnMetadata(OWN, typeof part === 'function' ? part : part.constructor);

const partsOf = (key: string, target: object): readonly Part[] =>
  (Reflect.getMetadata(key, target) as Part[] | undefined) ?? [];

interface Argument {
  readonly index: number;
  /** The name of a single parameter. */
  readonly data?: unknown;
  readonly pipes?: readonly Part[];
}

const argumentsOf = (context: ExecutionContext): [kind: string, argument: Argument][] =>
  Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ?? {}) as object,
  );

const READ: readonly string[] = [RouteParamtypes.PARAM, RouteParamtypes.QUERY].map(String);

/** Whether an answer's key has it anyway: it is a path or query whose class says how it is read. */
const isInKey = (context: ExecutionContext, kind: string, { index, data }: Argument): boolean => {
  const prototype = context.getClass().prototype as object;
  const types = Reflect.getMetadata('design:paramtypes', prototype, context.getHandler().name) as object[];
  const type = types[index];
  const isRead = typeof type === 'function' && ('schema' in type || 'rules' in type);
  return READ.includes(kind.split(':')[0]!) && data === undefined && isRead;
};

export interface HandlerFacts {
  /** Whether somebody added a guard, pipe, interceptor or filter: to the handler, an argument, its controller or the app. */
  readonly isGuarded: boolean;
  /** Whether it has arguments that are not in an answer's key. */
  readonly needsKey: boolean;
}

/**
 * Knows the routes to which somebody added a guard, pipe, interceptor or filter. Their ready bytes are sent behind it,
 * never in front.
 */
@Injectable()
export class ForeignParts {
  constructor(
    private readonly config: ApplicationConfig,
    discovery: DiscoveryService,
    scanner: MetadataScanner,
  ) {
    for (const { metatype } of discovery.getControllers()) {
      const prototype = metatype!.prototype as Record<string, object>;
      for (const name of scanner.getAllMethodNames(prototype)) putOwnInnermost(prototype[name]!);
    }
  }

  /** The facts about the handler of a request. */
  of(context: ExecutionContext): HandlerFacts {
    return {
      isGuarded: this.partsFor(context).some(isForeign),
      needsKey: argumentsOf(context).some(([kind, argument]) => !isInKey(context, kind, argument)),
    };
  }

  private partsFor(context: ExecutionContext): readonly Part[] {
    const { config } = this;
    return [
      ...[context.getClass(), context.getHandler()].flatMap((of) => PARTS.flatMap((key) => partsOf(key, of))),
      ...argumentsOf(context).flatMap(([, { pipes = [] }]) => pipes),
      ...[config.getGlobalGuards(), config.getGlobalRequestGuards()].flat(),
      ...[config.getGlobalPipes(), config.getGlobalRequestPipes()].flat(),
      ...[config.getGlobalInterceptors(), config.getGlobalRequestInterceptors()].flat(),
      ...[config.getGlobalFilters(), config.getGlobalRequestFilters()].flat(),
    ];
  }
}

/** The others get the answer, not what makes it. */
const putOwnInnermost = (handler: object): void => {
  const parts = partsOf(INTERCEPTORS_METADATA, handler);
  const ordered = [...parts.filter(isForeign), ...parts.filter((part) => !isForeign(part))];
  if (parts.length > 1) Reflect.defineMetadata(INTERCEPTORS_METADATA, ordered, handler);
};
