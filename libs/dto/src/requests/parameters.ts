import type { ApiParamOptions, ApiQueryOptions } from '@nestjs/swagger';
import type { DtoClass } from '../answers/fields.js';
import { InvalidRequestError } from './invalid-request.error.js';

/** The decoded parameters of a query, each with all its values in order. */
export type RawQuery = ReadonlyMap<string, readonly string[]>;

interface ParameterRule {
  readonly description: string;
  readonly isRequired?: boolean;
  /** A segment of the path, where the route has its name. */
  readonly isInPath?: boolean;
  /** Whether the query may have it instead; see `IN_QUERY`. */
  readonly mayBeInQuery?: boolean;
  /** Used if the request does not have the parameter. */
  readonly default?: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Throws `InvalidRequestError`; `name` is the name of the parameter. */
  readonly parse: (text: string, name: string) => unknown;
}

interface Parameter extends ParameterRule {
  readonly name: string;
}

const parametersByClass = new Map<object, Parameter[]>();

export const parameter =
  (rule: ParameterRule): PropertyDecorator =>
  (target, key) => {
    const parameters = parametersByClass.get(target.constructor) ?? [];
    parameters.push({ ...rule, name: String(key) });
    parametersByClass.set(target.constructor, parameters);
  };

const parametersOf = (dto: DtoClass): readonly Parameter[] => {
  const base: unknown = Object.getPrototypeOf(dto);
  const inherited = base === Function.prototype ? [] : parametersOf(base as DtoClass);
  return [...inherited, ...(parametersByClass.get(dto) ?? [])];
};

/** A segment of a path that says: the value is in the query, under the same name. */
const IN_QUERY = '-';

const INSTEAD = `Instead of the segment of the path, which is then \`${IN_QUERY}\`: for the usernames \`.\` and \`..\`, which URLs take for folders.`;

const valuesOf = (
  { name, isInPath, mayBeInQuery }: Parameter,
  query: RawQuery,
  path: RawQuery,
): readonly string[] | undefined => {
  if (!isInPath) return query.get(name);
  const segment = path.get(name);
  const values = mayBeInQuery ? query.get(name) : undefined;
  if (!segment || !values) return segment;
  return segment[0] === IN_QUERY ? values : [...segment, ...values];
};

const parseOne = (rule: Parameter, values: readonly string[] | undefined): unknown => {
  const { name } = rule;
  if (values === undefined) {
    if (rule.isRequired) throw new InvalidRequestError(`The parameter "${name}" is required.`);
    return rule.default === undefined ? undefined : rule.parse(rule.default, name);
  }
  if (values.length > 1) throw new InvalidRequestError(`The parameter "${name}" is given more than once.`);
  return rule.parse(values[0]!, name);
};

/**
 * Reads the parameters that a request class declares, of the query and of the path, and ignores all others. A class that allows alternatives checks them
 * in `assertValid`. Throws `InvalidRequestError`.
 */
export const parseQuery = <T extends object>(
  dto: DtoClass<T>,
  query: RawQuery,
  path: RawQuery = new Map(),
): T => {
  const request = new dto() as T & { assertValid?(): void };
  for (const rule of parametersOf(dto)) {
    Object.assign(request, { [rule.name]: parseOne(rule, valuesOf(rule, query, path)) });
  }
  request.assertValid?.();
  return request;
};

const defaultOf = (schema: ParameterRule['schema'], text: string): string | number =>
  schema['type'] === 'integer' ? Number(text) : text;

/** The parameters of the path for OpenAPI. */
export const describePath = (dto: DtoClass): ApiParamOptions[] =>
  parametersOf(dto)
    .filter(({ isInPath }) => isInPath)
    .map(({ name, description, schema }) => ({ name, description, schema }));

/** The parameters of the query for OpenAPI. */
export const describeQuery = (dto: DtoClass): ApiQueryOptions[] =>
  parametersOf(dto)
    .filter(({ isInPath, mayBeInQuery }) => !isInPath || mayBeInQuery)
    .map(({ name, description, isRequired = false, isInPath, schema, default: byDefault }) => ({
      name,
      description: isInPath ? INSTEAD : description,
      required: isRequired && !isInPath,
      schema: byDefault === undefined ? schema : { ...schema, default: defaultOf(schema, byDefault) },
    }));
