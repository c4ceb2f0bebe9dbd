import type Joi from 'joi';
import type { JsonSchema } from './answers.js';

/** A parameter of a path or a query, for OpenAPI. */
export interface CoreParameter {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Converted extends JsonSchema {
  readonly anyOf?: readonly Converted[];
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Converted>>;
}

/** Commas and repetition make lists of anything, so only their values are told. */
const alternativesOf = (schema: Converted): readonly Converted[] =>
  schema.anyOf?.flatMap(alternativesOf) ?? (schema.type === 'array' ? [] : [schema]);

const parametersOf = (name: string, schema: Converted): readonly CoreParameter[] => {
  const alternatives = alternativesOf(schema);
  const inner = alternatives.flatMap(({ properties = {} }) => Object.entries(properties));
  const values = alternatives.filter(({ properties }) => properties === undefined);
  const known = new Map(values.map((value) => [JSON.stringify(value), value]));
  const [value, ...others] = known.values();
  const { description, ...only } = value ?? {};
  const alone = { name, ...(description !== undefined && { description }) };
  const parameter = { ...alone, schema: others.length > 0 ? { anyOf: [...known.values()] } : only };
  return [
    ...(value ? [parameter] : []),
    ...[...new Map(inner)].flatMap(([field, rule]) => parametersOf(`${name}.${field}`, rule)),
  ];
};

/** The JSON Schema of the values that rules accept. */
export const schemaOf = (rules: Joi.Schema): JsonSchema =>
  rules['~standard'].jsonSchema.input({ target: 'draft-2020-12' });

/** The parameters that rules take: fields of objects have dots. */
export const describeRules = (rules: Joi.ObjectSchema): readonly CoreParameter[] =>
  Object.entries((schemaOf(rules) as Converted).properties ?? {}).flatMap(([name, rule]) =>
    parametersOf(name, rule),
  );
