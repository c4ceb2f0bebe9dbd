import { fieldsOf, type AnswerField, type DtoClass } from './fields.js';

/** JSON of an object or a list that PostgreSQL has written; it goes into the answer unchanged. */
export class ReadyJson {
  constructor(readonly text: string) {}

  /** @param objects the objects of the list, separated by commas */
  static list(objects: string): ReadyJson {
    return new ReadyJson(`[${objects}]`);
  }
}

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

const unlessReady =
  (write: Write): Write =>
  (value) =>
    value instanceof ReadyJson ? value.text : write(value);

const writerOfField = (field: AnswerField): Write => {
  switch (field.kind) {
    case 'integer':
      return writeInteger;
    case 'text':
      return writeText;
    case 'flag':
      return writeFlag;
    case 'json':
      return unlessReady(() => undefined);
    case 'texts':
      return writeEach(writeText);
    case 'object':
      return unlessReady(writerOf(field.of()));
    case 'list':
      return unlessReady(writeEach(writerOf(field.of())));
  }
};

const compile = (dto: DtoClass): Write => {
  const parts = fieldsOf(dto).map((field, index) => ({
    ...field,
    write: writerOfField(field),
    prefix: `${index === 0 ? '' : ','}${JSON.stringify(field.name)}:`,
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
