import { Ajv } from 'ajv';
import type { ParameterSchema } from './api-document.js';

const ajv = new Ajv({ strict: true, keywords: ['example'] });

const MOST_DIGITS = 15;
const LARGEST_AMOUNT = 2n ** 63n - 1n;
const MOST_DIGITS_OF_AMOUNT = String(LARGEST_AMOUNT).length;

/** Whether a parameter may have this text, as far as its schema says. Numbers are decimal digits; those of 64 bits are amounts. */
export const fits = (schema: ParameterSchema, text: string): boolean => {
  if (schema.type !== 'integer') return ajv.validate(schema, text);
  const { format, minimum = 0, maximum = LARGEST_AMOUNT } = schema;
  const most = format === 'int64' ? MOST_DIGITS_OF_AMOUNT : MOST_DIGITS;
  if (!/^\d+$/.test(text) || text.length > most) return false;
  return BigInt(text) >= BigInt(minimum) && BigInt(text) <= BigInt(maximum);
};

/** Whether the schema of a parameter says which texts are malformed. */
export const isTelling = ({ type, enum: choices, pattern, maxLength }: ParameterSchema): boolean =>
  type === 'integer' || choices !== undefined || pattern !== undefined || maxLength !== undefined;

/** Those of `named` that fit a schema, and some that most chains have; of choices the last, as the first is the default. */
export const fittingTexts = (schema: ParameterSchema, named: readonly string[]): string[] =>
  [...[...(schema.enum ?? [])].reverse(), '3', '1', ...named, 'e'].filter((text) => fits(schema, text));
