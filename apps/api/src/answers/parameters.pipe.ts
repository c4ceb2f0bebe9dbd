import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { parseParameters, type DtoClass, type GivenParameters } from '@roundhouse/dto';
import type { FastifyRequest } from 'fastify';
import { Own } from './foreign-parts.js';

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
const textsOf = (value: unknown): readonly string[] => [value].flat().map(String);

export const rawQueryOf = (given: GivenParameters): Map<string, readonly string[]> =>
  new Map(Object.entries(given).map(([name, value]) => [name, textsOf(value)]));

/** The same parameters; a list is one of at least two texts. */
const asTexts = (given: GivenParameters): GivenParameters => {
  if (Object.values(given).every((value) => typeof value === 'string')) return given;
  const texts = Object.entries(given).map(([name, value]) => [name, textsOf(value)] as const);
  return Object.fromEntries(texts.map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
};

/** The parameters of a path, each followed by those that the query has under its name. */
const withQuery = (path: GivenParameters): GivenParameters => {
  const query = (requests.get(path)?.query ?? {}) as GivenParameters;
  const joined = (name: string, value: GivenParameters[string]) =>
    query[name] === undefined ? value : [value, query[name]].flat();
  return Object.fromEntries(Object.entries(path).map(([name, value]) => [name, joined(name, value)]));
};

const isDto = (type: unknown): type is DtoClass => typeof type === 'function' && 'schema' in type;

/** Reads `@Param()` and `@Query()` by the rules of their class. Throws `InvalidRequestError`. */
@Injectable()
@Own()
export class ParametersPipe implements PipeTransform<GivenParameters> {
  transform(given: GivenParameters, { metatype, type }: ArgumentMetadata): unknown {
    if (!isDto(metatype)) return given;
    const all = type === 'param' ? withQuery(given) : given;
    return noteParameters(given, parseParameters(metatype, asTexts(all)));
  }
}
