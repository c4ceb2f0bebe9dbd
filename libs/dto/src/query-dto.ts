import type { ApiParamOptions, ApiQueryOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { factsOf, type DtoClass } from './answer-dto.js';
import { InvalidRequestError } from './invalid-request.error.js';

/**
 * The decoded parameters of a query, each with all its values in order. For a path, the first value is the segment; the values
 * that the query has under the same name follow.
 */
export type RawQuery = ReadonlyMap<string, readonly string[]>;

interface ParameterFacts {
  readonly description: string;
  /** What a client sends, for OpenAPI. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** (Default: the query) */
  readonly place?: 'path' | 'path or query';
}

/** The schema of one parameter. It reads text; the messages of its issues go on after `The parameter "name" `. */
export const parameter = <S extends z.ZodType>(
  schema: S,
  description: string,
  sent: ParameterFacts['schema'] = { type: 'string' },
  place?: ParameterFacts['place'],
): S => schema.meta({ description, schema: sent, place });

interface Rule<T> {
  readonly isMet: (parameters: T) => boolean;
  /** The sentence of the refusal. */
  readonly otherwise: string;
}

/** A class to extend: the parameters of a query, or those of a path. `rule` is for what several of them say together. */
export const queryDto = <S extends z.ZodRawShape>(
  shape: S,
  rule?: Rule<z.output<z.ZodObject<S>>>,
): DtoClass<z.output<z.ZodObject<S>>> => {
  const object = z.object(shape);
  const schema = rule ? object.refine(rule.isMet, rule.otherwise) : object;
  return Object.assign(class {}, { schema }) as unknown as DtoClass<z.output<z.ZodObject<S>>>;
};

/** Reads the parameters that `dto` declares and ignores all others. Throws `InvalidRequestError` for the first fault. */
export const parseParameters = <T extends object>({ schema }: DtoClass<T>, raw: RawQuery): T => {
  const given: Record<string, string | readonly string[]> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = raw.get(name);
    if (values) given[name] = values.length === 1 ? values[0]! : values;
  }
  const { data, error } = schema.safeParse(given);
  if (!error) return data as T;
  const { path, message } = error.issues[0]!;
  throw new InvalidRequestError(
    path.length === 0 ? message : `The parameter "${String(path[0])}" ${message}`,
  );
};

/** A segment of a path that says: the value is in the query, under the same name. */
export const IN_QUERY = '-';

const INSTEAD = `Instead of the segment of the path, which is then \`${IN_QUERY}\`: for the usernames \`.\` and \`..\`, which URLs take for folders.`;

const parametersOf = ({ schema }: DtoClass) =>
  Object.entries(schema.shape).map(([name, field]) => {
    const byDefault = field instanceof z.ZodPrefault ? (field.def.defaultValue as string) : undefined;
    const isRequired = !(field instanceof z.ZodPrefault || field instanceof z.ZodOptional);
    const facts = factsOf<ParameterFacts>(name, (isRequired ? field : field.unwrap()) as z.ZodType);
    return { name, isRequired, byDefault, ...facts };
  });

const defaultOf = (schema: ParameterFacts['schema'], text: string): string | number =>
  schema['type'] === 'integer' ? Number(text) : text;

/** The parameters of the path for OpenAPI. */
export const describePath = (dto: DtoClass): ApiParamOptions[] =>
  parametersOf(dto)
    .filter(({ place }) => place !== undefined)
    .map(({ name, description, schema }) => ({ name, description, schema }));

/** The parameters of the query for OpenAPI. */
export const describeQuery = (dto: DtoClass): ApiQueryOptions[] =>
  parametersOf(dto)
    .filter(({ place }) => place !== 'path')
    .map(({ name, place, description, isRequired, schema, byDefault }) => ({
      name,
      description: place ? INSTEAD : description,
      required: isRequired && !place,
      schema: byDefault === undefined ? schema : { ...schema, default: defaultOf(schema, byDefault) },
    }));
