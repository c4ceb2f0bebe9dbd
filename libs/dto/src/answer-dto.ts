import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { z } from 'zod';

/** JSON of an object or a list that PostgreSQL has written; it goes into the answer unchanged. */
export class ReadyJson {
  constructor(readonly text: string) {}

  /** @param objects the objects of the list, separated by commas */
  static list(objects: string): ReadyJson {
    return new ReadyJson(`[${objects}]`);
  }
}

/** A class of the contract: its type, and the schema that says the same when the program runs. */
export type DtoClass<T extends object = object> = (new () => T) & { readonly schema: z.ZodObject };

/** What a schema does not say itself, in the words of OpenAPI. */
interface FieldFacts {
  readonly description: string;
  /** The class of an object, or of the objects of a list. */
  readonly of?: DtoClass;
  readonly [option: string]: unknown;
}

interface Field {
  readonly schema: z.core.$ZodTypes;
  readonly isNullable: boolean;
  readonly facts: FieldFacts;
}

/** What stands beside the schema of a field or a parameter, when `.nullable()` and the like are taken off. */
export const factsOf = <Facts>(name: string, schema: z.ZodType): Facts => {
  const facts = schema.meta();
  if (facts) return facts as Facts;
  throw new Error(`"${name}" has no description; make its schema as answer-dto.ts and parameters.ts do.`);
};

/** The fields of an answer, in the order in which they are written. */
export const fieldsOf = ({ schema }: DtoClass): (Field & { readonly name: string })[] =>
  Object.entries(schema.shape).map(([name, field]) => {
    const isNullable = field instanceof z.ZodNullable;
    const inner = (isNullable ? field.unwrap() : field) as z.ZodType & z.core.$ZodTypes;
    return { name, schema: inner, isNullable, facts: factsOf(name, inner) };
  });

const propertyOf = ({ schema, isNullable, facts: { of, ...facts } }: Field): ApiPropertyOptions => ({
  ...facts,
  // @nestjs/swagger resolves a reference lazily only if the function is named `type`.
  ...(of ? { type: () => of } : {}),
  // OpenAPI wants null among the values, too.
  ...(schema._zod.def.type === 'enum'
    ? { enum: [...Object.values(schema._zod.def.entries), ...(isNullable ? [null] : [])] }
    : {}),
  ...(isNullable ? { nullable: true } : {}),
});

/** A class to extend: an answer, or an object in one. OpenAPI and `writeAnswer` know its fields from their schemas. */
export const answerDto = <S extends z.ZodRawShape>(shape: S): DtoClass<z.output<z.ZodObject<S>>> => {
  const Answer = Object.assign(class {}, { schema: z.object(shape) });
  for (const { name, ...field } of fieldsOf(Answer)) ApiProperty(propertyOf(field))(Answer.prototype, name);
  return Answer as unknown as DtoClass<z.output<z.ZodObject<S>>>;
};

// The types of fields. `.nullable()` may follow.

const field = <S extends z.ZodType>(schema: S, facts: FieldFacts): S => schema.meta({ ...facts });

const INTEGER = { type: 'integer', format: 'int64' };

/** A count, a height, a number of seconds: a safe integer. */
export const integer = (description: string, options: { readonly example?: number } = {}) =>
  field(z.int(), { ...INTEGER, description, ...options });

/** An integer of any size. The description of an amount names its unit, "in arktoshi". */
export const bigInteger = (description: string) => field(z.bigint(), { ...INTEGER, description });

export const text = (description: string, options: { readonly format?: 'date-time' } = {}) =>
  field(z.string(), { type: 'string', description, ...options });

/** One of several words. */
export const word = <const Words extends readonly [string, ...string[]]>(description: string, words: Words) =>
  field(z.enum(words), { type: 'string', description });

export const flag = (description: string) => field(z.boolean(), { type: 'boolean', description });

export const textList = (description: string) =>
  field(z.array(z.string()).readonly(), { type: 'string', isArray: true, description });

const schemaOf = <T extends object>({ schema }: DtoClass<T>) => schema as unknown as z.ZodType<T>;

export const object = <T extends object>(of: DtoClass<T>, description: string) =>
  field(schemaOf(of), { description, of });

export const listOf = <T extends object>(of: DtoClass<T>, description: string) =>
  field(z.array(schemaOf(of)).readonly(), { isArray: true, description, of });

const ready = z.instanceof(ReadyJson);

/** An object that PostgreSQL has written. */
export const readyObject = (of: DtoClass, description: string) => field(ready, { description, of });

/** A list that PostgreSQL has written. */
export const readyListOf = (of: DtoClass, description: string) =>
  field(ready, { isArray: true, description, of });

/** An object whose fields the contract does not fix. */
export const readyJson = (description: string) =>
  field(ready, { type: 'object', additionalProperties: true, description });

/** Ends a page. */
export const nextCursor = text(
  'Send it as `cursor` to get the next page; null if nothing is left.',
).nullable();

/** Of every answer except the list of fees. */
export const success = field(z.literal(true), {
  ...{ type: 'boolean', enum: [true], description: 'Always true in an answer.' },
});

/** A service returned something other than what its response class documents: a bug. */
export class AnswerShapeError extends Error {
  readonly code = 'ANSWER_SHAPE';

  constructor(dto: DtoClass, field: string, value: unknown) {
    super(
      `${dto.name}.${field} cannot be ${value === null ? 'null' : `a ${typeof value}`}; fix the code that makes it.`,
    );
    this.name = 'AnswerShapeError';
  }
}

type Write = (value: unknown) => string | undefined;

const writeInteger: Write = (value) =>
  typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined;

const writeText: Write = (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined);

const writeFlag: Write = (value) => (typeof value === 'boolean' ? String(value) : undefined);

const writeEach =
  (write: Write): Write =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    let text = '';
    for (const item of value) {
      const written = write(item);
      if (written === undefined) return undefined;
      text += text === '' ? written : `,${written}`;
    }
    return `[${text}]`;
  };

const writeReady: Write = (value) => (value instanceof ReadyJson ? value.text : undefined);

const writerOfField = (schema: z.core.$ZodTypes, of: DtoClass | undefined): Write => {
  const { def } = schema._zod;
  switch (def.type) {
    case 'number':
    case 'bigint':
      return writeInteger;
    case 'string':
    case 'enum':
      return writeText;
    case 'boolean':
    case 'literal':
      return writeFlag;
    case 'custom':
      return writeReady;
    case 'object':
      return writerOf(of!);
    case 'readonly':
      return writeEach(of ? writerOf(of) : writeText);
    default:
      throw new Error(`No field of an answer can be of the type "${def.type}": write it in answer-dto.ts.`);
  }
};

const compile = (dto: DtoClass): Write => {
  const parts = fieldsOf(dto).map(({ name, isNullable, schema, facts }, index) => ({
    name,
    isNullable,
    write: writerOfField(schema, facts.of),
    prefix: `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
  }));
  return (value) => {
    let text = '{';
    for (const { name, prefix, isNullable, write } of parts) {
      const content = (value as Record<string, unknown>)[name];
      const written = content === null && isNullable ? 'null' : write(content);
      if (written === undefined) throw new AnswerShapeError(dto, name, content);
      text += prefix + written;
    }
    return `${text}}`;
  };
};

const writers = new Map<DtoClass, Write>();

const writerOf = (dto: DtoClass): Write => {
  let writer = writers.get(dto);
  if (!writer) writers.set(dto, (writer = compile(dto)));
  return writer;
};

/**
 * Writes an answer as JSON: exactly the documented fields of `dto`, integers with all their digits. `ReadyJson` is not
 * checked. Throws `AnswerShapeError` if a field is missing or has another type.
 */
export const writeAnswer = <T extends object>(dto: DtoClass<T>, value: T): string => writerOf(dto)(value)!;
