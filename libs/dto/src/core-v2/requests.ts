import Joi from 'joi';
import type { RawQuery } from '../query-dto.js';
import {
  CONTEXT,
  ORDER_BY,
  PAGE,
  queryOf,
  sortedBy,
  sortsOf,
  TRANSFORM,
  type Fields,
  type Sort,
} from './criteria.js';
import { criteriaOf, pathsOf, type Shape } from './memory-criteria.js';
import { describeRules, type CoreParameter } from './parameters.js';

/** What a node answers instead: an HTTP status, a sentence, and more fields if there are any. */
export class CoreRefusal extends Error {
  override readonly name = 'CoreRefusal';
  readonly code = 'CORE_REFUSAL';

  constructor(
    readonly status: number,
    message: string,
    readonly more: object = {},
  ) {
    super(message);
  }
}

export const notFound = (what: string): CoreRefusal => new CoreRefusal(404, `${what} not found`);

/** The parameters of a query as a node nests them: text, lists of alternatives, and objects of the same. */
export interface NestedQuery {
  readonly [name: string]: NestedValue;
}

export type NestedValue = string | readonly string[] | NestedQuery;

/** More than any program asks with. Each of them makes the statement longer. */
const MOST_VALUES = 256;
const MOST_LEVELS = 16;
const TOO_MUCH = 'The query has too many values or levels';

/** Commas and repetition make alternatives; dots make objects. The last value of a name counts. Throws `CoreRefusal`. */
export const nest = (query: RawQuery): NestedQuery => {
  const nested: Record<string, NestedValue> = {};
  let count = 0;
  for (const [path, values] of query) {
    const [first = ''] = values;
    const value = values.length > 1 ? values : first.includes(',') ? first.split(',') : first;
    const names = path.split('.');
    count += typeof value === 'string' ? 1 : value.length;
    if (count > MOST_VALUES || names.length > MOST_LEVELS) throw new CoreRefusal(422, TOO_MUCH);
    const last = names.pop()!;
    let object = nested;
    for (const name of names) {
      const inner = Object.hasOwn(object, name) ? object[name]! : '';
      object[name] = typeof inner === 'object' && !Array.isArray(inner) ? inner : {};
      object = object[name] as Record<string, NestedValue>;
    }
    Object.defineProperty(object, last, { value, enumerable: true, configurable: true, writable: true });
  }
  return nested;
};

/** The same as part of a URL, decoded. */
const textOf = (query: NestedQuery, prefix = ''): readonly string[] =>
  Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'string' || Array.isArray(value)
      ? [`${prefix}${name}=${String(value)}`]
      : textOf(value as NestedQuery, `${prefix}${name}.`),
  );

/** Values that a node has checked. Amounts are decimal text, as a bigint is no JSON. */
export type Criterion = string | number | boolean | readonly Criterion[] | Criteria;

export interface Criteria {
  readonly [field: string]: Criterion;
}

/** A page of a list. */
export interface ListRequest {
  readonly criteria: Criteria;
  readonly orderBy: readonly Sort[];
  readonly page: number;
  readonly limit: number;
  /** The number of rows before the page: that of the request, or else by `page`. */
  readonly offset: number;
  readonly transform: boolean;
  /** The parameters for links to other pages: those of the request, then those by default, last the order. */
  readonly links: readonly string[];
}

/** What a route without a list reads of its query. */
export interface PlainRequest {
  readonly transform: boolean;
  readonly [name: string]: unknown;
}

/** A class whose instances are checked parameters. */
export interface CoreRequest<T extends object = object> {
  new (): T;
  /** Reads the parameters; throws `CoreRefusal` for the first fault. */
  readonly rules: (given: RawQuery) => T;
  /** For OpenAPI. */
  readonly parameters: () => readonly CoreParameter[];
}

const requestClass = <T extends object>(
  schema: Joi.ObjectSchema,
  rules: (given: RawQuery) => T,
): CoreRequest<T> =>
  Object.assign(class {}, { rules, parameters: () => describeRules(schema) }) as unknown as CoreRequest<T>;

export const isCoreRequest = (type: unknown): type is CoreRequest =>
  typeof type === 'function' && 'rules' in type;

const check = (schema: Joi.ObjectSchema, value: object): Record<string, unknown> => {
  const result: Joi.ValidationResult<object> = schema.validate(value, { context: CONTEXT });
  if (result.error) throw new CoreRefusal(422, result.error.message);
  return result.value as Record<string, unknown>;
};

const plain = (value: unknown): Criterion => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return value as Criterion;
  return Object.fromEntries(Object.entries(value!).map(([name, inner]) => [name, plain(inner)]));
};

/** A class to extend: the query of a list with these rules, and with `page`, `offset` and `limit`. */
export const coreList = (...rules: readonly Joi.ObjectSchema[]): CoreRequest<ListRequest> => {
  const schema = [...rules, PAGE].reduce((all, more) => all.concat(more));
  return requestClass(schema, (given) => {
    const asked = nest(given);
    const { page, limit, offset, transform, orderBy, ...criteria } = check(schema, asked) as {
      readonly page: number;
      readonly limit: number;
      readonly offset?: number;
      readonly transform?: boolean;
      readonly orderBy?: string | readonly string[];
    };
    const sorts = sortsOf(orderBy);
    // Repeated ones may have commas.
    if (sorts.length > MOST_VALUES) throw new CoreRefusal(422, TOO_MUCH);
    return {
      criteria: plain(criteria) as Criteria,
      orderBy: sorts.map(({ property, direction }) => ({ property, direction })),
      page,
      limit,
      // 0 counts as absent.
      offset: Math.min(offset || (page - 1) * limit, Number.MAX_SAFE_INTEGER),
      transform: transform ?? true,
      links: linksOf(asked, {
        ...(transform !== undefined && { transform: 'true' }),
        page: '1',
        limit: '100',
      }),
    };
  });
};

/** The same of rows that have these fields. */
export const coreTableList = (fields: Fields): CoreRequest<ListRequest> =>
  coreList(queryOf(fields), ORDER_BY.concat(sortedBy(Object.keys(fields))), TRANSFORM);

/**
 * The same of objects in memory. `free`: fields whose own fields sort, whatever they are. They have no other form, so
 * `transform` is refused.
 */
export const coreMemoryList = (shape: Shape, ...free: readonly string[]): CoreRequest<ListRequest> =>
  coreList(criteriaOf(shape), sortedBy(pathsOf(shape), ...free));

const linksOf = ({ orderBy, ...asked }: NestedQuery, byDefault: NestedQuery): readonly string[] =>
  textOf({ ...asked, ...byDefault, ...asked, ...(orderBy !== undefined && { orderBy }) });

/** A body that was checked by these rules. Throws `CoreRefusal` for the first fault. */
export const checkedBody = <T extends object>(rules: Joi.ObjectSchema, body: unknown): T =>
  check(rules, body as object) as T;

/** A class to extend: a query of these rules without a list. */
export const coreQuery = (rules: Joi.ObjectSchema = TRANSFORM): CoreRequest<PlainRequest> =>
  requestClass(rules, (given) => check(rules, nest(given)) as PlainRequest);

/** A class to extend: the parameter of a path. */
export const corePath = (name: string, rule: Joi.Schema): CoreRequest<{ readonly id: string }> => {
  const schema = Joi.object({ [name]: rule });
  // The refusal has the node's name of it, the route has ours.
  return requestClass(Joi.object({ id: rule }), (given) => {
    const [value = ''] = given.get('id') ?? [];
    return { id: String(check(schema, { [name]: value })[name]) };
  });
};
