import { Injectable, SetMetadata, type CustomDecorator } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { ApplicationConfig } from '@nestjs/core';

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

/** The place of the first argument that the api adds to a handler, behind all that a handler declares. */
export const OWN_ARGUMENTS_FROM = 10;

const argumentsOf = (controller: NewableFunction, handler: string): [kind: string, argument: Argument][] =>
  Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<string, Argument>,
  ).filter(([, { index }]) => index < OWN_ARGUMENTS_FROM);

const READ: readonly string[] = [RouteParamtypes.PARAM, RouteParamtypes.QUERY].map(String);

/** Whether an answer's key has it anyway: it is a path or query whose class says how it is read. */
const isInKey = (types: readonly object[], kind: string, { index, data }: Argument): boolean => {
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
  constructor(private readonly config: ApplicationConfig) {}

  /** The facts about a method of a controller. */
  of(controller: NewableFunction, handler: string): HandlerFacts {
    const prototype = controller.prototype as Record<string, object>;
    const given = argumentsOf(controller, handler);
    const types = Reflect.getMetadata('design:paramtypes', prototype, handler) as object[];
    const parts = [
      ...[controller, prototype[handler]!].flatMap((of) => PARTS.flatMap((key) => partsOf(key, of))),
      ...given.flatMap(([, { pipes = [] }]) => pipes),
      ...this.partsOfApp(),
    ];
    return {
      isGuarded: parts.some(isForeign),
      needsKey: given.some(([kind, argument]) => !isInKey(types, kind, argument)),
    };
  }

  private partsOfApp(): readonly Part[] {
    const { config } = this;
    return [
      ...[config.getGlobalGuards(), config.getGlobalRequestGuards()].flat(),
      ...[config.getGlobalPipes(), config.getGlobalRequestPipes()].flat(),
      ...[config.getGlobalInterceptors(), config.getGlobalRequestInterceptors()].flat(),
      ...[config.getGlobalFilters(), config.getGlobalRequestFilters()].flat(),
    ];
  }
}
