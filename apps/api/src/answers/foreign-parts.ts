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
  readonly pipes?: readonly Part[];
}

const argumentsOf = (context: ExecutionContext): [kind: string, argument: Argument][] =>
  Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ?? {}) as object,
  );

/** What an answer's key has anyway: the path and the query. */
const KNOWN_ARGUMENTS = [`${RouteParamtypes.PARAM}:`, `${RouteParamtypes.QUERY}:`];

export interface HandlerFacts {
  /** Whether somebody added a guard, pipe, interceptor or filter: to the handler, an argument, its controller or the app. */
  readonly isGuarded: boolean;
  /** Whether it has arguments besides path and query, on which its answers may depend. */
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
    const kinds = argumentsOf(context).map(([kind]) => kind);
    return {
      isGuarded: this.partsFor(context).some(isForeign),
      needsKey: kinds.some((kind) => !KNOWN_ARGUMENTS.some((known) => kind.startsWith(known))),
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
