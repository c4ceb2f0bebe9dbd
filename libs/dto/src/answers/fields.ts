import { ApiProperty, IntersectionType } from '@nestjs/swagger';

export type DtoClass<T extends object = object> = new () => T;

type FieldType =
  | { readonly kind: 'integer' | 'text' | 'flag' | 'json' }
  | { readonly kind: 'object' | 'list'; readonly of: () => DtoClass }
  | { readonly kind: 'texts' };

export type AnswerField = FieldType & { readonly name: string; readonly isNullable: boolean };

interface FieldOptions {
  readonly isNullable?: boolean;
}

/** The fields of each class, in the order of their declaration. OpenAPI and the writer both use this list. */
const fieldsByClass = new Map<object, AnswerField[]>();

const addField = (target: object, field: AnswerField): void => {
  const dto = target.constructor;
  const fields = fieldsByClass.get(dto) ?? [];
  fields.push(field);
  fieldsByClass.set(dto, fields);
};

/** The fields of a response class, inherited fields first. */
export const fieldsOf = (dto: DtoClass): readonly AnswerField[] => {
  const base: unknown = Object.getPrototypeOf(dto);
  const inherited = base === Function.prototype ? [] : fieldsOf(base as DtoClass);
  return [...inherited, ...(fieldsByClass.get(dto) ?? [])];
};

/** A class to extend: it has the fields of all `parts`, in their order. */
export const join = <Parts extends DtoClass[]>(...parts: Parts) => {
  const Whole = IntersectionType(...parts);
  fieldsByClass.set(Whole, parts.flatMap(fieldsOf));
  return Whole;
};

const field =
  (type: FieldType, property: object, isNullable = false): PropertyDecorator =>
  (target, key) => {
    ApiProperty(isNullable ? { ...property, nullable: true } : property)(target, key);
    addField(target, { ...type, name: String(key), isNullable });
  };

/** An integer of any size: a `bigint`, or a safe `number`. */
export const IntegerField = (
  description: string,
  { example, isNullable }: FieldOptions & { readonly example?: number } = {},
): PropertyDecorator =>
  field({ kind: 'integer' }, { type: 'integer', format: 'int64', description, example }, isNullable);

interface TextOptions extends FieldOptions {
  readonly format?: string;
  /** All possible values, if they are fixed. */
  readonly enum?: readonly string[];
}

export const TextField = (description: string, { isNullable, ...options }: TextOptions = {}) => {
  // OpenAPI wants null among the values, too.
  const values = options.enum && isNullable === true ? { enum: [...options.enum, null] } : {};
  return field({ kind: 'text' }, { type: 'string', description, ...options, ...values }, isNullable);
};

export const FlagField = (description: string, { isNullable }: FieldOptions = {}): PropertyDecorator =>
  field({ kind: 'flag' }, { type: 'boolean', description }, isNullable);

// @nestjs/swagger resolves a reference lazily only if the function is named `type`.
export const ObjectField = (
  description: string,
  of: () => DtoClass,
  { isNullable }: FieldOptions = {},
): PropertyDecorator => field({ kind: 'object', of }, { type: () => of(), description }, isNullable);

export const ListField = (description: string, of: () => DtoClass): PropertyDecorator =>
  field({ kind: 'list', of }, { type: () => of(), isArray: true, description });

export const TextListField = (description: string, { isNullable }: FieldOptions = {}): PropertyDecorator =>
  field({ kind: 'texts' }, { type: 'string', isArray: true, description }, isNullable);

/** An object whose fields the contract does not fix, as `ReadyJson`. */
export const JsonField = (description: string, { isNullable }: FieldOptions = {}): PropertyDecorator =>
  field({ kind: 'json' }, { type: 'object', additionalProperties: true, description }, isNullable);

/** `nextCursor`, which ends a page. */
export const NextCursorField = () =>
  TextField('Send it as `cursor` to get the next page; null if nothing is left.', { isNullable: true });

/** `success`, which every answer except the list of fees has. */
export const SuccessField = (): PropertyDecorator =>
  field({ kind: 'flag' }, { type: 'boolean', enum: [true], description: 'Always true in an answer.' });
