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

/** What stands beside the schema of a field: its description, and what else OpenAPI shall say. */
interface FieldFacts extends Record<string, unknown> {
  readonly description: string;
  /** The class of an object, or of the objects of a list. */
  readonly of?: DtoClass;
}

/** What stands beside the schema of a field or a parameter, when `.nullable()` and the like are taken off. */
export const factsOf = <Facts>(name: string, schema: z.ZodType): Facts => {
  const facts = schema.meta();
  if (facts) return facts as Facts;
  throw new Error(`"${name}" has no description; make its schema as answer-dto.ts and parameters.ts do.`);
};

/** The fields of an answer, in the order in which they are written. */
const fieldsOf = ({ schema }: DtoClass) =>
  Object.entries(schema.shape).map(([name, field]) => {
    const isNullable = field instanceof z.ZodNullable;
    const isOptional = field instanceof z.ZodOptional;
    const inner = (isNullable || isOptional ? field.unwrap() : field) as z.ZodType & z.core.$ZodTypes;
    return { name, isNullable, isOptional, def: inner._zod.def, facts: factsOf<FieldFacts>(name, inner) };
  });

type Field = ReturnType<typeof fieldsOf>[number];

type Write = (value: unknown) => string | undefined;

const writeInteger: Write = (value) =>
  typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined;

/** What JSON escapes in a text. */
// eslint-disable-next-line no-control-regex -- JSON escapes them.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** JSON of a text. To look first takes a third less time than to write each text with `JSON.stringify`. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

const writeText: Write = (value) => (typeof value === 'string' ? quoted(value) : undefined);

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

const INTEGER = { type: 'integer', format: 'int64' };

/** How values are described to OpenAPI and written, by the names of their types in zod. */
const TYPES: Readonly<Record<string, { readonly openApi?: object; readonly write: Write }>> = {
  number: { openApi: INTEGER, write: writeInteger },
  bigint: { openApi: INTEGER, write: writeInteger },
  string: { openApi: { type: 'string' }, write: writeText },
  enum: { openApi: { type: 'string' }, write: writeText },
  boolean: { openApi: { type: 'boolean' }, write: writeFlag },
  literal: { openApi: { type: 'boolean' }, write: writeFlag },
  custom: { write: writeReady },
};

const propertyOf = ({ def, isNullable, isOptional, facts: { of, ...facts } }: Field): ApiPropertyOptions => ({
  ...TYPES[def.type]?.openApi,
  ...facts,
  // @nestjs/swagger resolves a reference lazily only if the function is named `type`.
  ...(of && { type: () => of }),
  // OpenAPI wants null among the values, too.
  ...(def.type === 'enum' && { enum: [...Object.values(def.entries), ...(isNullable ? [null] : [])] }),
  ...(isNullable && { nullable: true }),
  ...(isOptional && { required: false }),
});

/** A class to extend: an object in an answer. OpenAPI and `writeAnswer` know its fields from their schemas. */
export const answerDto = <S extends z.ZodRawShape>(shape: S): DtoClass<z.output<z.ZodObject<S>>> => {
  const Answer = Object.assign(class {}, { schema: z.object(shape) });
  for (const field of fieldsOf(Answer)) ApiProperty(propertyOf(field))(Answer.prototype, field.name);
  return Answer as unknown as DtoClass<z.output<z.ZodObject<S>>>;
};

/** A class to extend: an answer, which ends with `success`. */
export const responseDto = <S extends z.ZodRawShape>(shape: S) => answerDto({ ...shape, success });

// The types of fields. `.nullable()` may follow, or, except for the first field, `.optional()`.

/** A count, a height, a number of seconds: a safe integer. */
export const integer = (description: string, options: { readonly example?: number } = {}) =>
  z.int().meta({ description, ...options });

/** An integer of any size. The description of an amount names its unit, "in arktoshi". */
export const bigInteger = (description: string) => z.bigint().describe(description);

export const text = (description: string, options: { readonly format?: 'date' | 'date-time' } = {}) =>
  z.string().meta({ description, ...options });

export const word = <const Words extends readonly [string, ...string[]]>(description: string, words: Words) =>
  z.enum(words).describe(description);

export const flag = (description: string) => z.boolean().describe(description);

export const textList = (description: string) =>
  z.array(z.string()).readonly().meta({ type: 'string', isArray: true, description });

const schemaOf = <T extends object>({ schema }: DtoClass<T>) => schema as unknown as z.ZodType<T>;

export const object = <T extends object>(of: DtoClass<T>, description: string) =>
  schemaOf(of).meta({ description, of });

export const listOf = <T extends object>(of: DtoClass<T>, description: string) =>
  z.array(schemaOf(of)).readonly().meta({ isArray: true, description, of });

const ready = z.instanceof(ReadyJson);

export const readyObject = (of: DtoClass, description: string) => ready.meta({ description, of });

export const readyListOf = (of: DtoClass, description: string) =>
  ready.meta({ isArray: true, description, of });

/** An object whose fields the contract does not fix. */
export const readyJson = (description: string) =>
  ready.meta({ type: 'object', additionalProperties: true, description });

export const nextCursor = text(
  'Send it as `cursor` to get the next page; null if nothing is left.',
).nullable();

/** Of every answer except the list of fees. */
export const success = z.literal(true).meta({ enum: [true], description: 'Always true in an answer.' });

export class ErrorResponseDto extends answerDto({
  success: z.literal(false).describe('Always false in an error.'),
  error: text('One sentence that says what is wrong.'),
}) {}

/** A service returned something other than what its response class documents: a bug. */
export class AnswerShapeError extends Error {
  override readonly name = 'AnswerShapeError';
  readonly code = 'ANSWER_SHAPE';

  constructor(field: string, value: unknown) {
    super(`${field} cannot be ${value === null ? 'null' : `a ${typeof value}`}; fix the code that makes it.`);
  }
}

const writerOfField = ({ def, facts: { of } }: Field): Write => {
  if (def.type === 'object') return writerOf(of!);
  if (def.type === 'readonly') return writeEach(of ? writerOf(of) : writeText);
  const known = TYPES[def.type];
  if (known) return known.write;
  throw new Error(`No field of an answer can be of the type "${def.type}": write it in answer-dto.ts.`);
};

const compile = (dto: DtoClass): Write => {
  const parts = fieldsOf(dto).map((field, index) => ({
    ...field,
    write: writerOfField(field),
    prefix: `${index === 0 ? '' : ','}${JSON.stringify(field.name)}:`,
  }));
  return (value) => {
    let text = '{';
    for (const { name, prefix, isNullable, isOptional, write } of parts) {
      const content = (value as Record<string, unknown>)[name];
      if (content === undefined && isOptional) continue;
      const written = content === null && isNullable ? 'null' : write(content);
      if (written === undefined) throw new AnswerShapeError(`${dto.name}.${name}`, content);
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

/** Of the names of fields. Most are the same in all answers; wallets have some of their own. */
const prefixes = new Map<string, string>();
const MOST_PREFIXES = 1000;

/** To look a name up takes less time than to see whether JSON escapes it. */
const prefixOf = (name: string): string => {
  let prefix = prefixes.get(name);
  if (prefix === undefined) {
    if (prefixes.size === MOST_PREFIXES) prefixes.clear();
    prefixes.set(name, (prefix = `${quoted(name)}:`));
  }
  return prefix;
};

/** Returns a writer of JSON that keeps all digits: `amount` writes a bigint, and fields for which `isAbsent` holds are left out. */
export const jsonWriter = (
  amount: (value: bigint) => string,
  isAbsent: (field: unknown) => boolean,
): ((value: unknown) => string) => {
  const write = (value: unknown): string => {
    if (typeof value === 'string') return quoted(value);
    if (typeof value === 'bigint') return amount(value);
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (value instanceof ReadyJson) return value.text;
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    let text = '{';
    for (const name of Object.keys(value)) {
      const field: unknown = value[name as keyof typeof value];
      if (!isAbsent(field)) text += `${text === '{' ? '' : ','}${prefixOf(name)}${write(field)}`;
    }
    return `${text}}`;
  };
  return write;
};
