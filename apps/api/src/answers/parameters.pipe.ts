import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { parseParameters, type DtoClass } from '@roundhouse/dto';
import type { FastifyRequest } from 'fastify';
import { Own } from './foreign-parts.js';

/** The parameters of a path or a query, as Fastify gives them. */
export type GivenParameters = Readonly<Record<string, string | readonly string[]>>;

/** By the parameters of a path. */
const requests = new WeakMap<object, Pick<FastifyRequest, 'query'>>();

/** Call it before the pipes: parameters of a path may be in the query, too, which a guard may still change. */
export const joinParameters = (request: Pick<FastifyRequest, 'params' | 'query'>): void =>
  void requests.set(request.params as object, request);

/** What pipes have made of the parameters of a request. */
const parsed = new WeakMap<object, object>();

export const noteParameters = <T extends object>(given: GivenParameters, parameters: T): T => {
  parsed.set(given, parameters);
  return parameters;
};

/**
 * The parameters of a request as its handler got them, without those that no class declares. A pipe that came before ours
 * may have hidden them; `isGuarded` says that there may be one, and then they are as they were sent.
 */
export const parametersOf = (
  { params, query }: Pick<FastifyRequest, 'params' | 'query'>,
  isGuarded: boolean,
): object => {
  const read = (given: unknown) => parsed.get(given as object) ?? (isGuarded ? (given as object) : {});
  return { ...read(query), ...read(params) };
};

/** A pipe that came before may have put anything in. */
export const rawQueryOf = (given: GivenParameters): Map<string, readonly string[]> => {
  const raw = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(given))
    raw.set(name, typeof value === 'string' ? [value] : [value].flat().map(String));
  return raw;
};

const isDto = (type: unknown): type is DtoClass => typeof type === 'function' && 'schema' in type;

/** Reads `@Param()` and `@Query()` by the rules of their class. Throws `InvalidRequestError`. */
@Injectable()
@Own()
export class ParametersPipe implements PipeTransform<GivenParameters> {
  transform(given: GivenParameters, { metatype, type }: ArgumentMetadata): unknown {
    if (!isDto(metatype)) return given;
    const raw = rawQueryOf(given);
    if (type === 'param') {
      const query = (requests.get(given)?.query ?? {}) as GivenParameters;
      for (const [name, values] of raw) raw.set(name, [...values, ...[query[name] ?? []].flat()]);
    }
    return noteParameters(given, parseParameters(metatype, raw));
  }
}
