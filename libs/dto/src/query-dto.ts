import type { ApiParamOptions, ApiQueryOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { factsOf, type DtoClass } from './answer-dto.js';

/** The decoded parameters of a query, each with all its values in order, as the rules of nodes read them. */
export type RawQuery = ReadonlyMap<string, readonly string[]>;

/**
 * The decoded parameters of a query: a text, or several in order if it is given more than once. For a path, the first text is the
 * segment; those that the query has under the same name follow.
 */
export type GivenParameters = Readonly<Record<string, string | readonly string[]>>;

interface ParameterFacts {
  readonly description: string;
  /** What a client sends, for OpenAPI. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** (Default: the query) */
  readonly place?: 'path' | 'path or query';
}

/**
 * A type of parameters: by the description, the schema of one. It reads text; the messages of its issues go on after
 * `The parameter "name" `.
 */
export const parameter =
  <S extends z.ZodType>(
    reading: S,
    schema: ParameterFacts['schema'] = { type: 'string' },
    place?: ParameterFacts['place'],
  ) =>
  (description: string): S =>
    reading.meta({ description, schema, place });

/**
 * A class to extend: the parameters of a query, or those of a path. If what several of them say together is not valid,
 * `otherwise` is the sentence of the refusal.
 */
export const queryDto = <S extends z.ZodRawShape>(
  shape: S,
  isValid?: (parameters: z.output<z.ZodObject<S>>) => boolean,
  otherwise?: string,
): DtoClass<z.output<z.ZodObject<S>>> => {
  const all = z.object(shape);
  // A rule that all keep would cost every request.
  const schema = isValid ? all.refine(isValid, otherwise) : all;
  return Object.assign(class {}, { schema }) as unknown as DtoClass<z.output<z.ZodObject<S>>>;
};

/** The request is invalid. The client gets the message. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly code = 'INVALID_REQUEST';
}

/** Reads the parameters that `dto` declares and ignores all others. Throws `InvalidRequestError` for the first fault. */
export const parseParameters = <T extends object>({ schema }: DtoClass<T>, given: GivenParameters): T => {
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

// For OpenAPI:

export const describePath = (dto: DtoClass): ApiParamOptions[] =>
  parametersOf(dto)
    .filter(({ place }) => place !== undefined)
    .map(({ name, description, schema }) => ({ name, description, schema }));

export const describeQuery = (dto: DtoClass): ApiQueryOptions[] =>
  parametersOf(dto)
    .filter(({ place }) => place !== 'path')
    .map(({ name, place, description, isRequired, schema, byDefault }) => ({
      name,
      description: place ? INSTEAD : description,
      required: isRequired && !place,
      schema: {
        ...schema,
        ...(byDefault && { default: schema['type'] === 'integer' ? Number(byDefault) : byDefault }),
      },
    }));
